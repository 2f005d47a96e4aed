// Lines for cron; the guides of backups and automations print them, too.

export const cronPath = "PATH=/usr/local/bin:/usr/bin:/bin";
export const backupLine =
  "15 3 * * * set -a && . /etc/cairn.env && f=/backups/$(date +\\%F).zip && cairn backup:create $f && cairn backup:verify $f";
export const processLine = "* * * * * set -a && . /etc/cairn.env && cairn automations:process";

export function cronText(): string {
  return `${cronPath}
# A whole backup every night, which is checked.
${backupLine}
# Only where jobs.runInServer is false: jobs and schedules, every minute.
# ${processLine}
`;
}

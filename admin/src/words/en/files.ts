// Sentences of uploads, images and files.

import { formatBytes, formatNumber, plural } from "#words/format.ts";

export const files = {
  uploads: "Uploads",
  running: (count: number) => plural(count, { one: "Uploading 1 file", other: (n) => `Uploading ${n} files` }),
  notSent: (count: number) => plural(count, { one: "1 file was not sent", other: (n) => `${n} files were not sent` }),
  allDone: (count: number) => plural(count, { one: "1 file uploaded", other: (n) => `${n} files uploaded` }),
  began: (name: string) => `The upload of ${name} has begun`,
  ended: (name: string) => `${name} is uploaded`,
  stopped: (name: string) => `${name} was not uploaded`,
  goesTo: (label: string, object: string) => (object === "" ? label : `${label} of ${object}`),
  waiting: "Sent when you save",
  queued: "Waits for its turn",
  offline: "You are offline. It goes on when you are connected.",
  paused: "Paused",
  storing: "Being stored",
  fetching: "Fetched by the server",
  done: "Uploaded",
  unreachable: "The server cannot be reached.",
  resumed: "Goes on where it stopped",
  progress: (sent: number, size: number) => `${formatBytes(sent)} of ${formatBytes(size)}`,
  speed: (bytes: number) => `${formatBytes(bytes)}/s`,
  progressOf: (name: string) => `Progress of ${name}`,
  pause: (name: string) => `Pause ${name}`,
  resume: (name: string) => `Resume ${name}`,
  retry: (name: string) => `Retry ${name}`,
  cancel: (name: string) => `Cancel ${name}`,
  clear: "Clear the list",
  collapse: "Show less",
  expand: "Show all",
  percent: (share: number) => `${formatNumber(Math.floor(share * 100))} %`,
};

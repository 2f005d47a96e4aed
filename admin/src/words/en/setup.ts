// Sentences of the steps that follow the first administrator.

export const setup = {
  steps: "Steps of the setup",
  stepOf: (step: number, steps: number) => `Step ${step} of ${steps}`,
  continue: "Continue",
  back: "Back",

  environment: "Environment",
  environmentIntro: "Cairn looked at the machine it runs on. You can come back to this page at any time.",
  checks: "Checks",
  dataDirectory: "Your content is in",
  levels: { good: "Fine", warn: "Look at this", bad: "Needs a change" },

  content: "Starter content",
  contentIntro: "Start with an empty site, or with a small one to look at and to change.",
  startEmpty: "Start empty",
  startEmptyDetail: "No collections yet. You describe your own.",
  loadDemo: "Load the demo site",
  loadDemoDetail:
    "The website of a walking club, with walks, a journal, people and pictures. Everything in it can be deleted later.",
  loadingDemo: "Loading the demo site…",
  demoLoaded: "The demo site is loaded.",

  serverConfig: "Server configuration",
  serverConfigIntro: "Cairn speaks HTTP. On the internet a web server in front of it adds HTTPS. Copy what fits yours.",
  servers: "Servers",
  serverNames: {
    nginx: "nginx",
    apache: "Apache",
    caddy: "Caddy",
    systemd: "systemd",
    docker: "Container",
    compose: "Compose",
    cron: "Cron line",
  },
  detected: (name: string) => `This page came through ${name}.`,
  copyOf: (name: string) => `Configuration for ${name}`,

  ready: "Ready",
  readyIntro: "Cairn is set up. These pages stay at /setup/environment for you and other administrators.",
  openAdmin: "Open the admin",
  next: "What to do next",
  siteAt: "This site answers at",
  nextCollection: "Make a collection and write the first object",
  nextKey: "Make an API key for your website",
  nextReference: "Read the API reference",
};

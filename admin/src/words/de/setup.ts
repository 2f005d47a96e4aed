// The German of `en/setup.ts`.

import type { setup as en } from "#words/en/setup.ts";

export const setup: typeof en = {
  steps: "Schritte der Einrichtung",
  stepOf: (step: number, steps: number) => `Schritt ${step} von ${steps}`,
  continue: "Weiter",
  back: "Zurück",

  environment: "Umgebung",
  environmentIntro: "Cairn hat sich die Maschine angesehen, auf der es läuft. Diese Seite bleibt jederzeit erreichbar.",
  checks: "Prüfungen",
  dataDirectory: "Ihr Inhalt liegt in",
  levels: { good: "In Ordnung", warn: "Bitte ansehen", bad: "Muss geändert werden" },

  content: "Anfangsinhalt",
  contentIntro: "Beginnen Sie mit einer leeren Website, oder mit einer kleinen zum Ansehen und Ändern.",
  startEmpty: "Leer beginnen",
  startEmptyDetail: "Noch keine Sammlungen. Sie beschreiben Ihre eigenen.",
  loadDemo: "Demo laden",
  loadDemoDetail:
    "Die Website eines Wandervereins mit Touren, Journal, Leuten und Bildern. Alles darin kann später gelöscht werden.",
  loadingDemo: "Die Demo wird geladen …",
  demoLoaded: "Die Demo ist geladen.",

  serverConfig: "Server-Konfiguration",
  serverConfigIntro:
    "Cairn spricht HTTP. Im Internet ergänzt ein Webserver davor HTTPS. Kopieren Sie, was zu Ihrem passt.",
  servers: "Server",
  serverNames: {
    nginx: "nginx",
    apache: "Apache",
    caddy: "Caddy",
    systemd: "systemd",
    docker: "Container",
    compose: "Compose",
    cron: "Cron-Zeile",
  },
  detected: (name: string) => `Diese Seite kam durch ${name}.`,
  copyOf: (name: string) => `Konfiguration für ${name}`,

  ready: "Bereit",
  readyIntro:
    "Cairn ist eingerichtet. Diese Seiten bleiben unter /setup/environment für Sie und andere Administratoren.",
  openAdmin: "Verwaltung öffnen",
  next: "Was als Nächstes kommt",
  siteAt: "Diese Website antwortet unter",
  nextCollection: "Eine Sammlung anlegen und das erste Objekt schreiben",
  nextKey: "Einen API-Schlüssel für Ihre Website machen",
  nextReference: "Die API-Referenz lesen",
};

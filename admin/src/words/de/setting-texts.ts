// Label and meaning of each setting. A test finds settings that have none.

import type { SettingTexts } from "#words/en/setting-texts.ts";

export const settingTexts: SettingTexts = {
  host: ["Adresse", "Adresse, an der der Server lauscht."],
  port: ["Port", "Port, an dem der Server lauscht; 0 nimmt einen freien."],
  url: ["URL", "Öffentliche Basis-URL für alle absoluten Links. Leer: http://{host}:{port}."],
  databaseUrl: ["URL der Datenbank", "postgres://... wechselt vom eingebauten SQLite zu PostgreSQL."],
  databaseReadUrl: [
    "URL der Datenbank zum Lesen",
    "postgres://... einer Replik: Abfragen und Berichte, die lange dauern, beantwortet sie, solange sie auf dem neuesten Stand ist.",
  ],
  databaseDirectUrl: [
    "Direkte URL der Datenbank",
    "postgres://... an einem Verbindungspool im Transaktionsmodus vorbei, zu dem databaseUrl dann führt: für Migrationen, den Bau von Indizes, lange Lesevorgänge und Hinweise.",
  ],
  "database.connections": [
    "Verbindungen zur Datenbank",
    "Verbindungen zu PostgreSQL, die ein Prozess höchstens für Anfragen nimmt; vier weitere für lange Arbeit und eine für Hinweise kommen hinzu.",
  ],
  "database.prepare": [
    "Anweisungen vorbereiten",
    "PostgreSQL behält wiederholte Anweisungen zerlegt. Aus: hinter einem Verbindungspool, der sie nicht weiterreicht, etwa PgBouncer vor 1.21.",
  ],
  databaseTimeout: [
    "Zeitgrenze der Datenbank",
    "Wie lange eine Anweisung auf PostgreSQL wartet, bevor ihre Anfrage mit 503 beantwortet wird; Exporte warten zehnmal so lange. PT0S: keine Grenze.",
  ],
  readers: [
    "Lesende Threads",
    "Threads, die SQLite für Listen, Abfragen und Suchen lesen; 0: 2 bei bis zu 2 Kernen, 3 bei bis zu 4, sonst 4.",
  ],
  queryTimeout: [
    "Zeitgrenze für Abfragen",
    "Wie lange eine Liste, Abfrage oder Suche dauern darf. PT0S: keine Grenze.",
  ],
  queryTimeoutPublic: ["Zeitgrenze ohne Anmeldung", "Dasselbe für Aufrufe ohne Zugangsdaten."],
  queryBudget: [
    "Zeit für Abfragen",
    "Zeit, die alle Abfragen, Berichte und Exporte eines Schlüssels, Benutzers oder Tokens in einer Minute brauchen dürfen. PT0S: keine Grenze.",
  ],
  "history.default": [
    "Verlauf",
    "Was von den Änderungen einer Sammlung aufbewahrt wird, die dazu selbst nichts sagt: `off` nichts, `trail` wer welche Eigenschaften geändert hat, `full` auch die Werte davor.",
  ],
  "history.new": [
    "Verlauf neuer Sammlungen",
    "Dasselbe für eine Sammlung, die angelegt wird und dazu selbst nichts sagt: Es steht danach in ihren Einstellungen. `default`: Dort steht nichts, und `history.default` gilt.",
  ],
  "changes.publicStreams": [
    "Änderungen für alle",
    "Aufrufe ohne Zugangsdaten dürfen die Änderungen öffentlicher Sammlungen verfolgen.",
  ],
  "changes.maxStreams": ["Offene Ströme", "Wie viele Ströme von Änderungen ein Prozess offen hält."],
  "history.files": [
    "Frühere Dateien",
    "Wie lange ersetzte und gelöschte Dateien zurückgeholt werden können, wo der volle Verlauf aufbewahrt wird.",
  ],
  "history.keep": ["Frühere Werte", "Wie lange ersetzte Werte aufbewahrt werden."],
  "history.trash": ["Papierkorb", "Wie lange gelöschte Objekte wiederhergestellt werden können."],
  "history.versions": ["Versionen", "Wie viele Änderungen eines Objekts die Werte behalten, die sie ersetzt haben."],
  "history.records": [
    "Verlauf ohne Werte",
    "Wie lange bekannt bleibt, dass etwas geändert wurde, wann und von wem; nie kürzer, als Werte und gelöschte Objekte aufbewahrt werden.",
  ],
  "history.maxBytes": [
    "Größe des Verlaufs",
    "Wie viele Bytes ersetzte Werte und gelöschte Objekte zusammen belegen dürfen; die ältesten gehen zuerst. 0: keine Grenze.",
  ],
  queryBudgetPublic: ["Zeit ohne Anmeldung", "Dasselbe für jede Adresse ohne Zugangsdaten."],
  filesUrl: ["URL der Dateien", "s3://bucket/prefix?endpoint=... wechselt vom lokalen Datenträger zu S3."],
  workers: ["Serverprozesse", "Anzahl der Serverprozesse. Mit SQLite schreibt einer von ihnen, und alle antworten."],
  drainDelay: [
    "Frist vor dem Beenden",
    "Wie lange ein Server, der beendet wird, noch Verbindungen annimmt, während /readyz mit 503 antwortet. Hinter einem Lastverteiler: länger, als dieser braucht, um es zu bemerken, etwa PT5S.",
  ],
  publicDir: ["Öffentlicher Ordner", "Ordner, dessen Dateien zuerst ausgeliefert werden, relativ zum Projekt."],
  edition: ["Edition", "lite, standard oder pro."],
  trustProxy: ["Vertraute Proxys", "Adressen von Proxys, deren X-Forwarded-For vertraut wird."],
  "admin.build": [
    "Verwaltung bauen",
    "Der Server baut die Verwaltung nach dem Start, wenn kein Build da ist oder ihre Quellen neuer sind.",
  ],
  environment: ["Umgebung", "production oder development."],
  "log.level": ["Stufe", "trace, debug, info, warn, error oder silent."],
  "api.maxBodySize": ["Größter Body", "Größter JSON-Body, in Byte."],
  "api.maxPublicBodySize": [
    "Größter Body ohne Anmeldung",
    "Größter Body von Aufrufen ohne Zugangsdaten, in Byte; für Uploads gilt files.maxUploadSize.",
  ],
  "api.corsOrigins": ["CORS-Ursprünge", "Ursprünge, die per Browserskript lesen dürfen, ohne Zugangsdaten."],
  "cors.origins": [
    "Ursprünge, die schreiben",
    "Ursprünge, deren Browserskripte auch in die API und an Webhooks von Automationen schreiben dürfen, ohne Cookies; *: alle.",
  ],
  "cors.methods": ["Methoden", "Methoden, die diese Ursprünge senden dürfen."],
  "api.rateLimit": [
    "Anfragen ohne Anmeldung",
    "Anfragen in der Minute von einer Adresse ohne Zugangsdaten; 0: keine Grenze.",
  ],
  "api.keyRateLimit": ["Anfragen je Schlüssel", "Anfragen in der Minute mit einem API-Schlüssel; 0: keine Grenze."],
  "api.tokenRateLimit": [
    "Anfragen je Freigabe",
    "Anfragen in der Minute mit den Zugriffstokens einer Freigabe; 0: keine Grenze.",
  ],
  "api.sessionRateLimit": [
    "Anfragen je Benutzer",
    "Anfragen in der Minute von einem angemeldeten Benutzer; 0: keine Grenze.",
  ],
  "auth.loginLimit": [
    "Fehlversuche je Konto",
    "Fehlgeschlagene Anmeldungen für ein Konto von einer Adresse, innerhalb von auth.loginWindow; 0: keine Grenze.",
  ],
  "auth.addressLimit": [
    "Fehlversuche je Adresse",
    "Fehlgeschlagene Anmeldungen von einer Adresse, innerhalb von auth.loginWindow; 0: keine Grenze.",
  ],
  "auth.loginWindow": ["Zeitraum für Fehlversuche", "Wie lange fehlgeschlagene Anmeldungen zählen."],
  "auth.publicRegistration": [
    "Offene Registrierung",
    "Sammlungen, in denen man sich selbst registrieren kann; auth oder keine.",
  ],
  "auth.registrationGroups": [
    "Gruppen bei der Registrierung",
    "Zugriffsgruppen von Benutzern, die sich selbst registrieren; mindestens eine, nie admin.",
  ],
  "auth.registrationProperties": [
    "Eigenschaften bei der Registrierung",
    "Eigenschaften von Benutzern, die eine Registrierung setzen darf, außer Adresse und Passwort.",
  ],
  "auth.minPasswordLength": ["Mindestlänge des Passworts", "Mindestlänge eines Passworts, in Zeichen."],
  "auth.resetTokenExpiry": [
    "Gültigkeit von Links zum Zurücksetzen",
    "Minuten, die ein Link zum Zurücksetzen des Passworts gilt.",
  ],
  "auth.verificationTokenExpiry": [
    "Gültigkeit von Links zum Bestätigen",
    "Minuten, die ein Link zum Bestätigen einer E-Mail-Adresse gilt.",
  ],
  "auth.usePasskeys": ["Passkeys", "Anmeldung mit Passkey; braucht die Edition Standard."],
  "oauth.enabled": ["Eingeschaltet", "Andere Anwendungen dürfen Benutzer um Zugriff bitten; braucht die Edition Pro."],
  "oauth.dynamicRegistration": ["Selbstregistrierung", "Anwendungen dürfen sich selbst registrieren."],
  "oauth.clientIdMetadataDocuments": [
    "Dokumente als Client-ID",
    "Eine Anwendung darf die Adresse eines Dokuments als ihre ID nennen; der Server ruft es ab, wenn ein Benutzer gefragt wird.",
  ],
  "oauth.accessTokenTtl": ["Gültigkeit von Zugriffstokens", "Wie lange ein Zugriffstoken gilt."],
  "oauth.refreshTokenTtl": ["Gültigkeit von Refresh-Tokens", "Wie lange ein Refresh-Token ab seiner Ausstellung gilt."],
  "oauth.grantMaxDays": [
    "Höchstdauer einer Freigabe",
    "Tage nach der Zustimmung, nach denen eine Anwendung neu fragen muss, wie oft sie auch erneuert hat; 0: nie.",
  ],
  "oauth.authCodeTtl": ["Gültigkeit von Codes", "Wie lange ein Autorisierungscode gilt."],
  "oauth.tokenEndpointLimit": [
    "Anfragen an den Token-Endpunkt",
    "Anfragen in der Minute von einer Adresse an /oauth/token; 0: keine Grenze.",
  ],
  "oauth.dynamicRegistrationLimit": [
    "Registrierungen je Stunde",
    "Registrierungen in der Stunde von einer Adresse; 0: keine Grenze.",
  ],
  "smtp.host": ["Mailserver", "Mailserver; leer: es werden keine Mails gesendet."],
  "smtp.port": ["Port", "Port des Mailservers."],
  "smtp.secure": ["Verschlüsselung", "starttls, tls oder none (nur für einen Server auf diesem Rechner)."],
  "smtp.user": ["Benutzer", "Name für die Anmeldung am Mailserver; leer: keine Anmeldung."],
  "smtp.password": ["Passwort", "Passwort für den Mailserver."],
  "smtp.from": ["Absenderadresse", "Absenderadresse der Mails."],
  "smtp.fromName": ["Absendername", "Absendername der Mails."],
  "smtp.maxPerHour": ["Höchstens je Stunde", "Mails des Mailers in einer Stunde; weitere warten. 0: keine Grenze."],
  "smtp.maxPerDay": ["Höchstens je Tag", "Mails des Mailers an einem Tag; weitere warten. 0: keine Grenze."],
  "mailer.allowedRecipients": [
    "Erlaubte Empfänger",
    "Adressen und Domains, an die der Mailer senden darf, Subdomains eingeschlossen; keine: alle.",
  ],
  "mailer.allowedSenders": [
    "Erlaubte Absender",
    "Absenderadressen und Domains außer smtp.from, Subdomains eingeschlossen; keine: nur smtp.from.",
  ],
  "webhooks.allowPrivateHosts": [
    "Private Adressen erlauben",
    "Ausgehende Webhooks dürfen private Adressen erreichen, etwa die eines Intranets.",
  ],
  "webhooks.timeout": ["Zeit für die Antwort", "Sekunden, die ein Empfänger für seine Antwort hat."],
  "webhooks.retryDelays": ["Wartezeiten", "Wie lange vor jedem weiteren Versuch einer Zustellung gewartet wird."],
  "webhooks.disableAfter": ["Abschalten nach", "Ein Webhook wird abgeschaltet, wenn er so lange fehlgeschlagen ist."],
  "webhooks.keepDeliveries": ["Zustellungen aufbewahren", "Wie lange das Protokoll der Zustellungen bleibt."],
  "views.timeLimit": ["Zeitgrenze", "Sekunden, die der Bau einer Datensicht dauern darf."],
  "views.memoryLimit": ["Speichergrenze", "Megabyte, die der Bau einer Datensicht brauchen darf."],
  "views.maxSize": ["Größtes Ergebnis", "Größtes Ergebnis einer Datensicht, in Byte."],
  "sitemap.maxAddresses": [
    "Adressen je Datei",
    "Adressen in einer Datei einer Sitemap; Suchmaschinen nehmen nicht mehr an.",
  ],
  "site.name": ["Name", "Name der Website, wie ihn die Verwaltung zeigt."],
  "site.enabled": [
    "Eingeschaltet",
    "Die Website ausliefern: Seiten, Weiterleitungen und Formulare. Aus: Cairn liefert nur Dateien und die API.",
  ],
  "site.adminHost": [
    "Host der Verwaltung",
    "Host der Verwaltung, etwa cms.example.org: Nur dort gibt es Sitzungen und ihre Seiten. Leer: auf jedem Host.",
  ],
  "site.indexed": ["Für Suchmaschinen", "Suchmaschinen dürfen die Website aufnehmen. Aus: robots.txt lehnt alles ab."],
  "site.trailingSlash": [
    "Schrägstrich am Ende",
    "Adressen von Seiten enden mit einem Schrägstrich: never (nie), always (immer) oder ignore (beides).",
  ],
  "site.redirectMoved": [
    "Weiterleiten nach Umzug",
    "Ändert sich die Adresse eines Objekts oder einer Seite, führt die alte zur neuen.",
  ],
  "site.csp": [
    "Content-Security-Policy",
    "Direktiven der Richtlinie für Seiten, nach Namen; sie ersetzen die Standardwerte.",
  ],
  "site.maxAge": [
    "Browser behalten Seiten",
    "Sekunden, die Browser eine Seite behalten dürfen, ohne erneut zu fragen.",
  ],
  "site.sharedMaxAge": [
    "CDN behält Seiten",
    "Sekunden, die ein CDN eine Seite behalten darf; über 0 tragen Seiten Cache-Tag.",
  ],
  "site.stale": ["Alte Seiten", "Wie lange eine alte Seite gesendet werden darf, während ihre neue Fassung entsteht."],
  "site.cacheSize": ["Seiten im Speicher", "Megabyte an Seiten, die jeder Prozess im Speicher behält; 0 behält keine."],
  "site.renderLimit": [
    "Neue Seiten je Minute",
    "Seiten, die in einer Minute für eine Adresse neu entstehen; zehnmal so viele für angemeldete Personen. Seiten im Speicher zählen nicht. 0: keine Grenze.",
  ],
  "forms.maxBytes": ["Größtes Formular", "Byte eines Formulars mit allen seinen Dateien."],
  "forms.rateLimit": [
    "Formulare je Minute",
    "Wie oft in der Minute eine Adresse ein Formular senden darf; sechsmal so oft in der Stunde. 0: keine Grenze.",
  ],
  locales: ["Sprachen", "Sprachen der Texte, etwa en und pt_BR; die erste ist der Standard."],
  timezone: ["Zeitzone", "Zeitzone von Zeitplänen, etwa Europe/Paris."],
  "jobs.runInServer": [
    "Aufträge im Server",
    "Der Server führt Aufträge und Zeitpläne aus; sonst muss `cairn automations:process` jede Minute aufgerufen werden.",
  ],
  "automations.webhookLimit": [
    "Aufrufe je Minute",
    "Aufrufe in der Minute von einer Adresse an Webhooks von Automationen, die keinen Schlüssel brauchen; 0: keine Grenze.",
  ],
  "automations.queueLimit": [
    "Wartende Läufe",
    "Wartende Läufe einer Automation; weitere werden abgelehnt. 0: keine Grenze.",
  ],
  "automations.timeLimit": ["Zeitgrenze", "Sekunden, die ein Handler laufen darf."],
  "automations.memoryLimit": ["Speichergrenze", "Megabyte, die ein Handler brauchen darf."],
  "automations.allowPrivateHosts": [
    "Private Adressen erlauben",
    "Handler dürfen von privaten Adressen lesen, etwa denen eines Intranets.",
  ],
  "automations.keepRuns": ["Läufe aufbewahren", "Beendete Läufe einer Automation, die aufbewahrt werden."],
  "metrics.openOnLoopback": [
    "Lokal offen",
    "Aufrufe von diesem Rechner lesen /metrics ohne Schlüssel. Nicht hinter einem Proxy auf diesem Rechner verwenden: alle seine Anfragen sehen lokal aus.",
  ],
  "mcp.enabled": ["Eingeschaltet", "Den MCP-Endpunkt unter /mcp anbieten."],
  "mcp.publicAccess": [
    "Ohne Anmeldung",
    "Clients ohne Zugangsdaten dürfen den MCP-Endpunkt benutzen; sie sehen, was öffentlich ist.",
  ],
  "mcp.allowedOrigins": [
    "Erlaubte Ursprünge",
    "Ursprünge von Browserseiten, die den MCP-Endpunkt benutzen dürfen; *: alle.",
  ],
  "mcp.publicIpPerMinute": [
    "Anfragen ohne Anmeldung",
    "Anfragen in der Minute an den MCP-Endpunkt von einer Adresse ohne Zugangsdaten; 0: keine Grenze.",
  ],
  "mcp.toolPrefix": [
    "Präfix der Werkzeuge",
    "Steht mit einem Unterstrich vor dem Namen jedes MCP-Werkzeugs; für Clients mehrerer Websites.",
  ],
  "mcp.subscriptionsEnabled": ["Abonnements", "MCP-Clients erfahren von den Änderungen, die sie abonniert haben."],
  "import.maxSize": ["Größte Importdatei", "Größte Importdatei, in Byte; sie wird gestreamt."],
  "htmlclean.enabled": ["Eingeschaltet", "HTML in Texten beim Schreiben bereinigen."],
  "htmlclean.allowedIframeDomains": ["Hosts in iframes", "Hosts, die in einem iframe erlaubt sind."],
  "htmlclean.allowedCssProperties": [
    "CSS-Eigenschaften",
    "CSS-Eigenschaften, die in style-Attributen bleiben; keine: style-Attribute entfallen.",
  ],
  "htmlclean.allowedTags": ["Erlaubte Tags", "Tags, die bleiben; keine: die mitgelieferte Liste."],
  "files.maxUploadSize": ["Größter Upload", "Größte Datei, die hochgeladen werden darf, in Byte; sie wird gestreamt."],
  "files.allowPrivateHosts": [
    "Private Adressen erlauben",
    "Uploads per URL, Dokumente von OAuth-Clients und die MCP-Prüfung der Verwaltung dürfen private Adressen erreichen, etwa die eines Intranets.",
  ],
  "files.handover": [
    "Übergabe von Dateien",
    "x-accel-redirect oder x-sendfile: der vorgeschaltete Server sendet Dateien vom lokalen Datenträger; leer: Cairn sendet sie.",
  ],
  "files.handoverPrefix": [
    "Präfix der Übergabe",
    "Präfix, das x-accel-redirect vor den Pfad unterhalb des Datenverzeichnisses setzt.",
  ],
  maxDownloadSize: ["Größter Abruf", "Größte Datei, die ein Upload per URL abruft, in Megabyte; 0: keine Grenze."],
  "images.maxPixels": ["Größtes Bild", "Größtes Bild, das dekodiert wird, in Pixeln."],
  "images.cacheSize": [
    "Größe des Zwischenspeichers",
    "Speicherplatz für abgeleitete Bilder, in Byte; die am längsten nicht benutzten gehen zuerst.",
  ],
  "extensions.packages": ["Pakete", "Pakete in node_modules des Projekts, die Erweiterungen sind."],
  "extensions.eager": ["Sofort laden", "Den Code von Erweiterungen beim Start laden, nicht erst beim ersten Aufruf."],
  "extensions.memoryLimit": ["Speicher", "Megabyte, die der Code aller Erweiterungen zusammen einnehmen darf."],
  "extensions.timeFactor": [
    "Faktor der Zeitgrenzen",
    "Vervielfacht die Zeitgrenzen von Aufrufen der Erweiterungen, für langsame Rechner.",
  ],
  "extensions.storeLimit": ["Ablage", "Byte, die eine Erweiterung in ihrer Ablage behalten darf."],
  "cache.memory": [
    "Caches im Arbeitsspeicher",
    "Megabyte, die alle Caches im Arbeitsspeicher eines Prozesses zusammen einnehmen; der größte gibt zuerst nach, 0 behält nichts.",
  ],
  "imageworks.defaults": ["Standardwerte", "Bildparameter für Anfragen, die sie nicht senden."],
  "imageworks.presets": ["Vorgaben", "Bildparameter nach Namen, für den Parameter p."],
  "imageworks.watermarksGallery": [
    "Galerie der Wasserzeichen",
    "Objekt der Sammlung gallery, das die Wasserzeichen enthält.",
  ],
  "imageworks.watermarkFontsDepot": [
    "Depot der Schriften",
    "Objekt der Sammlung depot, das die Schriften für Wasserzeichen enthält.",
  ],
  "imageworks.gatherLocation": [
    "Aufnahmeort behalten",
    "Den Ort eines Bildes behalten, wenn seine Datei einen hat: in seinem Wert und im gespeicherten Bild.",
  ],
  "sync.url": ["URL", "API-Adresse der entfernten Installation."],
  "sync.key": ["Schlüssel", "API-Schlüssel für die entfernte Installation."],
  "sync.timeout": ["Zeit für die Antwort", "Sekunden, die Senden und Holen auf die entfernte Installation warten."],
  "sync.maxBodySize": ["Größte Definition", "Größte Definition, die der Abgleich annimmt, in Byte."],
};

// Formats of text settings, with the words for an error. Whether an address is reachable is not checked here.

import { isIP } from "node:net";
import { hostKey } from "./net/host-names.ts";

export interface SettingForm {
  /** "must be ..." */
  about: string;
  fits(text: string): boolean;
}

export const webAddress: SettingForm = {
  about: "an address such as https://cms.example.org",
  fits(text) {
    const url = URL.parse(text);
    const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
    return isWeb && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  },
};

export const hostName: SettingForm = {
  about: "the name of a host such as cms.example.org, with its port where that is not the usual one",
  fits: (text) => hostKey(text) !== undefined,
};

/** As browsers send it: no path, no slash at the end, the port only where it is not the usual one. */
export const webOrigins: SettingForm = {
  about: "a list of origins such as https://www.example.org, or *",
  fits(text) {
    if (text === "*") return true;
    if (text.includes("*")) return false;
    const url = URL.parse(text);
    return (url?.protocol === "http:" || url?.protocol === "https:") && url.origin === text;
  },
};

const networks = new Set(["loopback", "linklocal", "uniquelocal"]);

export const proxyAddresses: SettingForm = {
  about: "a list of addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal",
  fits(text) {
    const [address = "", bits, ...rest] = text.split("/");
    const size = isIP(address) === 4 ? 32 : 128;
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= size);
    return networks.has(text) || (isIP(address) > 0 && isNetwork && rest.length === 0);
  },
};

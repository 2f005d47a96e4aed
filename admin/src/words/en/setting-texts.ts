// Label and meaning of each setting, by its key. The server's own are English: here they stay as they are.

export type SettingTexts = { [key: string]: readonly [label: string, about: string] };

export const settingTexts: SettingTexts = {};

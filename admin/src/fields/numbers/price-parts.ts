import { type FieldProperty, numberOf } from "#fields/property.ts";

export const decimalsOf = ({ settings }: FieldProperty) => numberOf(settings.decimals) ?? 2;
export const currencyOf = ({ settings }: FieldProperty) =>
  typeof settings.currency === "string" ? settings.currency : "";

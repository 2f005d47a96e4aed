// Property names appear in SQL as literals, because an index is found only by the same spelling.
// The schema has checked them; this is the last check before the text of a statement.

/** Parts of a value have the names of the steps to them: `place.lat`. */
const propertyName = /^[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z][A-Za-z0-9_-]*)*$/;

export function checkPropertyName(name: string): string {
  if (!propertyName.test(name)) throw new Error("not a property name");
  return name;
}

/** A member of a JSON object as text, after others; nothing where it has no value. `value`: its JSON text. */
export function memberSql(name: string, value: string): string {
  return `coalesce(',"${checkPropertyName(name)}":' || (${value}), '')`;
}

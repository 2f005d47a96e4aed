// Puts related objects in the place of their ids. An answer has them beside `data`, each once, by path and id. Pure: what was
// read is not changed. An id whose object did not come along stays.

type Value = unknown;
type Objects = Record<string, Record<string, unknown>>;

export function resolve(data: Value, expand: Record<string, Objects> | undefined): Value {
  if (!expand) return data;
  const paths = Object.keys(expand).sort((a, b) => a.split(".").length - b.split(".").length);
  return paths.reduce((value, path) => put(value, path.split("."), expand[path] ?? {}), data);
}

function put(value: Value, path: readonly string[], objects: Objects): Value {
  if (Array.isArray(value)) return value.map((part) => put(part, path, objects));
  if (path.length === 0) return find(value, objects);
  if (typeof value !== "object" || value === null) return value;
  const [name = "", ...rest] = path;
  if (!Object.hasOwn(value, name)) return value;
  return { ...value, [name]: put((value as Record<string, unknown>)[name], rest, objects) };
}

function find(id: Value, objects: Objects): Value {
  const name = typeof id === "number" ? String(id) : id;
  return typeof name === "string" && Object.hasOwn(objects, name) ? objects[name] : id;
}

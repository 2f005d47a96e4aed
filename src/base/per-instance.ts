// State that belongs to one object, such as the storage of an app: made on first use, and gone with its owner.

export function perInstance<K extends object, T>(make: (owner: K) => T): (owner: K) => T {
  const states = new WeakMap<K, T>();
  return (owner) => {
    let state = states.get(owner);
    if (state === undefined) {
      state = make(owner);
      states.set(owner, state);
    }
    return state;
  };
}

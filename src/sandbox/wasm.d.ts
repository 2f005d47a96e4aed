// The few types of WebAssembly that are used here: the compiler knows them only with the types of a browser.

declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    constructor(descriptor: { initial: number; maximum?: number });
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}

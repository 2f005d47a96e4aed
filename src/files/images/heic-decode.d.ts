// The part of the package that is used; it brings no types.

declare module "heic-decode" {
  interface Picture {
    width: number;
    height: number;
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  }
  export function all(options: { buffer: Uint8Array }): Promise<Picture[] & { dispose(): void }>;
}

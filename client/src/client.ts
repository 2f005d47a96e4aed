// The client of one site. Types come from `cairn types`: `createClient<Collections>({ url })`.

import { Collection } from "./collection.ts";
import { type ImageParameters, type ImageSource, imageSrcset, imageUrl, type SrcsetOptions } from "./images.ts";
import { type Call, createTransport, type Transport } from "./transport.ts";
import type { AnyCollections, ClientOptions, Result } from "./types.ts";

/** `C`: the collections by id, with the type of their objects. */
export class Client<C = AnyCollections> {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = createTransport(options);
  }

  collection<N extends keyof C & string>(id: N): Collection<C[N]> {
    return new Collection<C[N]>(this.#transport, id);
  }

  /** The absolute address of an image, in another size or format. */
  image(image: ImageSource, parameters: ImageParameters = {}): string {
    return imageUrl(this.#transport.url, image, parameters);
  }

  /** For the attribute `srcset` of an image. */
  srcset(image: ImageSource, options: SrcsetOptions): string {
    return imageSrcset(this.#transport.url, image, options);
  }

  /** Where a file of an object is downloaded from. `name`: of one file of a depot. */
  download<N extends keyof C & string>(collection: N, id: string, property: keyof C[N] & string, name = ""): string {
    const segments = [collection, id, property, ...name.split("/").filter(Boolean)].map(encodeURIComponent);
    return `${this.#transport.url}/download/${segments.join("/")}`;
  }

  /** Any other route of the API. `T`: what its answer holds. */
  async request<T = unknown>(call: Call): Promise<Result<T, { status: number; headers: Headers }>> {
    const answer = await this.#transport.send(call);
    if (!answer.ok) return answer;
    const { status, headers, body } = answer;
    return { ok: true, data: body as T, status, headers };
  }
}

export function createClient<C = AnyCollections>(options: ClientOptions): Client<C> {
  return new Client<C>(options);
}

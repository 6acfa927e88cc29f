// The page's side of the zip that grows while clips are made.

import type { ZipReply, ZipRequest } from "./zip.worker";

export class Zipper {
  private readonly worker = new Worker(new URL("./zip.worker.ts", import.meta.url), { type: "module", name: "zip" });
  private readonly names = new Set<string>();
  private answer: { take: (reply: ZipReply) => void; fail: (error: Error) => void } | null = null;
  /** Files in it. */
  count = 0;

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<ZipReply>) => {
      if ("error" in data) this.answer?.fail(new Error(data.error));
      else this.answer?.take(data);
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.answer?.fail(new Error(event.message || "the zip could not be made"));
    };
  }

  /** Packs a file; one after the other. Says the name it got: no two are alike, on systems that do not tell cases apart either. */
  async add(wanted: string, bytes: Uint8Array): Promise<string> {
    const [, start = wanted, end = ""] = /^(.*?)(\.[^./]*)?$/.exec(wanted) ?? [];
    let name = wanted;
    for (let more = 2; this.names.has(name.toLowerCase()); more++) name = `${start}_${more}${end}`;
    this.names.add(name.toLowerCase());
    await this.ask({ name, bytes }, [bytes.buffer as ArrayBuffer]);
    this.count++;
    return name;
  }

  async end(): Promise<Blob> {
    const reply = await this.ask({ end: true }, []);
    this.close();
    if (!("blob" in reply)) throw new Error("the zip could not be made");
    return reply.blob;
  }

  close(): void {
    this.worker.terminate();
  }

  private ask(request: ZipRequest, transfer: Transferable[]): Promise<ZipReply> {
    return new Promise((take, fail) => {
      this.answer = { take, fail };
      this.worker.postMessage(request, transfer);
    });
  }
}

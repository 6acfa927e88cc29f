// The page's side of the engine: typed calls that answer with promises.

import type { CallName, Calls, Reply, Request, Trouble } from "./protocol";

/** An error in the engine's words: what is wrong, and what to do about it. */
export class EngineError extends Error {
  readonly code: string;
  readonly remedy: string;
  constructor(trouble: Trouble) {
    super(trouble.message);
    this.name = "EngineError";
    this.code = trouble.code;
    this.remedy = trouble.remedy;
  }
}

/** A later request of the same lane has taken this one's place. Nothing is wrong. */
export class Stale extends Error {}

interface Pending {
  take: (answer: unknown) => void;
  fail: (error: Error) => void;
}

export class Engine {
  /** None where it has ended; the next call starts it anew. */
  private worker: Worker | null;
  private readonly pending = new Map<number, Pending>();
  private next = 1;
  private isClosed = false;
  /** Called after the engine had to be loaded anew: nothing is open in it any more. */
  onRestart: () => void = () => {};

  constructor() {
    this.worker = this.start();
  }

  /** Asks the engine. `lane` groups requests of which only the newest counts. */
  call<C extends CallName>(call: C, ask: Calls[C]["ask"], lane: string | null = null): Promise<Calls[C]["answer"]> {
    const request: Request = { id: this.next++, call, ask, lane };
    return new Promise((take, fail) => {
      this.pending.set(request.id, { take: take as (answer: unknown) => void, fail });
      if (this.isClosed) return;
      this.worker ??= this.start();
      this.worker.postMessage(request);
    });
  }

  /** Ends it for good; what is still waited for is never answered. */
  close(): void {
    this.isClosed = true;
    this.worker?.terminate();
    this.worker = null;
    this.pending.clear();
  }

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "rebone" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.worker)
        this.restart({ code: "internal", message: event.message || "the engine could not be started", remedy: "" });
    };
    return worker;
  }

  private receive(reply: Reply): void {
    const own = this.pending.get(reply.id);
    if (!own) return;
    this.pending.delete(reply.id);
    if ("answer" in reply) own.take(reply.answer);
    else if ("stale" in reply) own.fail(new Stale());
    else {
      own.fail(new EngineError(reply.trouble));
      if (reply.trouble.code === "internal") this.restart(reply.trouble);
    }
  }

  /** What cannot be started, as without its server, is not started over and over: only who asks again starts it. */
  private restart(trouble: Trouble): void {
    if (this.isClosed) return;
    this.worker?.terminate();
    this.worker = null;
    const lost = [...this.pending.values()];
    this.pending.clear();
    lost.forEach((own) => own.fail(new EngineError(trouble)));
    this.onRestart();
  }
}

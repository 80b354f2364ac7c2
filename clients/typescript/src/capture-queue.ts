const MOST_CALLS = 1_000;
const MOST_CHARACTERS = 16 << 20;
const CONCURRENT = 4;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const LONGEST_RETRY_AFTER_MS = 300_000;
/** A call that is answered so many times by an error of the service, or by something else, is dropped. */
const ATTEMPTS = 5;
/** Statuses that say nothing about the call itself. */
const AWAY = [429, 502, 503, 504];

export interface Call {
  readonly body: string;
  readonly headers: Record<string, string>;
}

interface Session {
  readonly waiting: Call[];
  isSending: boolean;
  failures: number;
}

/**
 * Sends conversations in the background: in order for each session, at most four sessions at once; after a failure one
 * only, and only after a wait that doubles. A call that comes while 1,000 wait is dropped. Nothing here rejects, and a
 * wait does not keep the process alive.
 */
export class CaptureQueue {
  private readonly sessions = new Map<unknown, Session>();
  private readonly sending = new Set<Promise<void>>();
  private calls = 0;
  private characters = 0;
  private failures = 0;
  private isFull = false;
  private pause: NodeJS.Timeout | undefined;

  /** `send` rejects when there is no answer; `refused` is told each status that drops a call, with the answer's body. */
  constructor(
    private readonly send: (call: Call) => Promise<Response>,
    private readonly refused: (status: number, body: string) => void,
  ) {}

  add(key: unknown, call: Call): void {
    if (this.calls === MOST_CALLS || this.characters + call.body.length > MOST_CHARACTERS) {
      if (!this.isFull) console.warn(`Remembrancer drops conversations: ${this.calls} are waiting.`);
      this.isFull = true;
      return;
    }
    this.isFull = false;
    this.calls += 1;
    this.characters += call.body.length;
    const session = this.sessions.get(key) ?? { waiting: [], isSending: false, failures: 0 };
    session.waiting.push(call);
    this.sessions.set(key, session);
    this.sendMore();
  }

  /** Sends what waits, for so long at most; ends at the first failure. Resolves to the number of calls that still wait. */
  async flush(ms: number): Promise<number> {
    const end = performance.now() + ms;
    this.resume();
    while (this.sending.size > 0 && performance.now() < end) {
      let bell: NodeJS.Timeout | undefined;
      const late = new Promise<void>((ring) => (bell = setTimeout(ring, end - performance.now())));
      await Promise.race([...this.sending, late]);
      clearTimeout(bell);
    }
    return this.calls;
  }

  private sendMore(): void {
    if (this.pause) return;
    const most = this.failures > 0 ? 1 : CONCURRENT;
    for (const [key, session] of this.sessions) {
      if (this.sending.size >= most) return;
      if (session.isSending) continue;
      session.isSending = true;
      const work = this.sendFirst(key, session).finally(() => {
        this.sending.delete(work);
        this.sendMore();
      });
      this.sending.add(work);
    }
  }

  private async sendFirst(key: unknown, session: Session): Promise<void> {
    const call = session.waiting[0] as Call;
    const isDone = await this.attempt(call, session);
    session.isSending = false;
    if (!isDone) return;
    session.failures = 0;
    session.waiting.shift();
    this.calls -= 1;
    this.characters -= call.body.length;
    if (session.waiting.length === 0) this.sessions.delete(key);
  }

  /** Whether the call was sent, or can never be. */
  private async attempt(call: Call, session: Session): Promise<boolean> {
    try {
      const response = await this.send(call);
      const body = await response.text();
      if (response.status === 202 && isObject(body)) {
        this.failures = 0;
        return true;
      }
      if (!AWAY.includes(response.status)) {
        session.failures += 1;
        const isRefused = response.status >= 400 && response.status < 500;
        if (isRefused || session.failures === ATTEMPTS) {
          this.failures = 0;
          this.refused(response.status, body);
          return true;
        }
      }
      this.wait(Number(response.headers.get("retry-after") ?? "0") * 1000);
    } catch {
      this.wait(0);
    }
    return false;
  }

  private wait(toldMs: number): void {
    if (this.pause) return;
    const ms = Math.min(FIRST_WAIT_MS * 2 ** this.failures, LONGEST_WAIT_MS);
    this.failures += 1;
    const told = Number.isFinite(toldMs) ? Math.min(toldMs, LONGEST_RETRY_AFTER_MS) : 0;
    this.pause = setTimeout(() => this.resume(), Math.max(ms, told));
    this.pause.unref();
  }

  private resume(): void {
    clearTimeout(this.pause);
    this.pause = undefined;
    this.sendMore();
  }
}

function isObject(body: string): boolean {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

import { createHash, randomUUID } from "node:crypto";
import createFetchClient, { type Client as FetchClient } from "openapi-fetch";
import { type Assembled, InvalidAnswer, type Message, fields, read, unchanged } from "./answer.js";
import type { paths } from "./api.js";
import { type Call, CaptureQueue } from "./capture-queue.js";
import { CircuitBreaker } from "./circuit-breaker.js";
import { spoken } from "./conversations.js";
import { isBlank, trimmed } from "./end-users.js";
import { Placeholders } from "./placeholders.js";

export type { Added, Assembled, Message } from "./answer.js";
export type { components, paths } from "./api.js";
export type { Said } from "./conversations.js";
export { derivedSession, sendable, session, spoken, turn, withoutBlocks, withoutInjected } from "./conversations.js";

/** Most bytes that the service accepts, as a load balancer passes no more to it. */
const LARGEST_BODY = 1 << 20;
const LONGEST_RETRY_AFTER_MS = 300_000;
const PROBE_MS = 2_000;
const CAPTURE_MS = 10_000;
const FLUSH_MS = 5_000;
/** Statuses that a person has to correct. */
const REFUSALS = [401, 403, 404];
/** What a header can hold. */
const VISIBLE_ASCII = /^[!-~](?:[ -~]*[!-~])?$/;

export interface Settings {
  /** Default: REMEMBRANCER_URL. */
  url?: string;
  /** Default: REMEMBRANCER_API_KEY. */
  apiKey?: string;
  /** Default: the credential's organization, or REMEMBRANCER_ORG_ID beside REMEMBRANCER_API_KEY. */
  orgId?: string;
  /** The agent's id or name. Default: REMEMBRANCER_AGENT_ID. */
  agentId?: string;
  /** Bounds a whole `assemble`; 45 by default. */
  deadlineMs?: number;
  /** Called once for each code of a refusal (401, 403, 404) that a person has to correct. */
  onRefused?: (code: string, message: string) => void;
  fetch?: typeof globalThis.fetch;
}

export interface Question {
  model: string;
  agentId?: string;
  userId?: string;
  sessionId?: string;
  turnId?: string;
  requestId?: string;
  tools?: readonly unknown[];
  /** `placement`, `memory_tokens` and others of `POST /v1/context/assemble`. */
  options?: Record<string, unknown>;
  /** The end user's, such as Europe/Berlin. */
  timeZone?: string;
  deadlineMs?: number;
}

export interface Turn {
  agentId?: string;
  /** The end user; memories of a conversation without one are shared. */
  userId?: string;
  /** Messages of the same session belong to one conversation; without it, the messages are one by themselves. */
  sessionId?: string;
  turnId?: string;
  /** When it was said; now by default. */
  observedAt?: Date;
  clientRef?: string;
}

/**
 * Create one client for each process, because its connections stay open. `api` has every route, with the types of the
 * OpenAPI document.
 */
export class Client {
  readonly api: FetchClient<paths>;
  /** What integrations need to name the session of a client that names none: the agent, and the key of hashes. */
  readonly names: { readonly agentId: string; readonly key: Uint8Array };
  private readonly breaker = new CircuitBreaker();
  private readonly captures: CaptureQueue;
  private readonly told = new Set<string>();
  private readonly url: string;
  private readonly headers: Record<string, string>;
  private readonly fetch: typeof globalThis.fetch;

  constructor(private readonly settings: Settings = {}) {
    const { env } = process;
    this.url = (settings.url ?? env["REMEMBRANCER_URL"] ?? "").replace(/\/+$/, "");
    if (!this.url) throw new TypeError("url: give the address of the service, or set REMEMBRANCER_URL");
    const apiKey = settings.apiKey ?? env["REMEMBRANCER_API_KEY"] ?? "";
    this.headers = { "x-api-key": apiKey };
    this.names = { agentId: this.agent(undefined) ?? "", key: createHash("sha256").update(`session:${apiKey}`).digest() };
    this.fetch = settings.fetch ?? globalThis.fetch;
    this.api = createFetchClient<paths>({ baseUrl: this.url, headers: this.headers, fetch: this.fetch });
    this.captures = new CaptureQueue((call) => this.sendTurn(call), (status, body) => this.dropped(status, body));
  }

  /** Opens a connection, so that the first request need not; a service that is down is no error. */
  async warm(): Promise<void> {
    await this.fetch(`${this.url}/v1/health`).then((answer) => answer.arrayBuffer()).catch(() => undefined);
  }

  /**
   * The messages, with the directive and relevant memories added to some of them. Never rejects. On any failure `messages`
   * is the array that was given, and `reason` says why.
   */
  async assemble(messages: readonly Message[], question: Question): Promise<Assembled> {
    try {
      const deadlineMs = question.deadlineMs ?? this.settings.deadlineMs ?? 45;
      const requestId = question.requestId ?? randomUUID();
      const userId = endUser(question.userId);
      question = { ...question, requestId, ...(userId === undefined ? {} : { userId }) };
      const [placeholders, body] = this.request(messages, question);
      if (this.breaker.isOpen) {
        if (this.breaker.takeProbe()) void this.probe(question, deadlineMs);
        return unchanged(messages, "circuit_open");
      }
      if (Buffer.byteLength(body) > LARGEST_BODY) return unchanged(messages, "too_large");
      return placeholders.restored(await this.ask(body, placeholders.sent, question.userId, requestId, deadlineMs));
    } catch (error) {
      if (error instanceof BlankEndUser) return unchanged(messages, "blank_end_user");
      return unchanged(messages, `client_error:${error instanceof Error ? error.name : "unknown"}`);
    }
  }

  /**
   * Stores what end users and assistants said, in the background: returns at once, and never throws. Injected blocks,
   * and messages of other roles, are not sent. While the service does not answer, up to 1,000 calls wait; what is
   * dropped is logged. A process that ends by itself sends first what waits, unless the service does not answer;
   * before `process.exit()`, call `flush`.
   */
  capture(messages: readonly Message[], turn: Turn = {}): void {
    try {
      const said = spoken(messages);
      if (said.length === 0) return;
      const agentId = this.agent(turn.agentId);
      if (!agentId || isBlank(agentId)) throw new TypeError("agentId: name an agent, here, in the settings or in REMEMBRANCER_AGENT_ID");
      const userId = endUser(turn.userId);
      const body = JSON.stringify({
        agent_id: agentId,
        user_id: userId,
        session_id: turn.sessionId,
        turn_id: turn.turnId,
        client_ref: turn.clientRef,
        observed_at: (turn.observedAt ?? new Date()).toISOString(),
        messages: said,
      });
      const key = turn.sessionId ? JSON.stringify([agentId, userId, turn.sessionId]) : Symbol();
      this.captures.add(key, { body, headers: { ...header(userId), "idempotency-key": randomUUID() } });
    } catch (error) {
      console.warn("Remembrancer captures nothing:", error);
    }
  }

  /** Sends what waits to be captured, for so long at most; resolves to the number of calls that still wait. */
  async flush(ms: number = FLUSH_MS): Promise<number> {
    return this.captures.flush(ms);
  }

  private sendTurn(call: Call): Promise<Response> {
    const headers = { ...this.headers, "content-type": "application/json", ...call.headers };
    const signal = AbortSignal.timeout(CAPTURE_MS);
    const request = { method: "POST", headers, body: call.body, signal, redirect: "manual" as const };
    return this.fetch(`${this.url}/v1/conversations`, request);
  }

  private dropped(status: number, body: string): void {
    try {
      const { code, message } = fields(fields(json(body))["error"]);
      // Nobody said anything: an ordinary outcome, of which nothing is lost.
      if (code === "nothing_to_capture") console.debug(`Remembrancer found nothing to capture: ${body}`);
      else if (REFUSALS.includes(status)) this.tell(String(code), String(message));
      else console.warn(`Remembrancer drops a conversation: ${status} ${String(code)}: ${String(message)}`);
    } catch {
      console.warn(`Remembrancer drops a conversation: ${status}`);
    }
  }

  private agent(agentId: string | undefined): string | undefined {
    return agentId ?? this.settings.agentId ?? process.env["REMEMBRANCER_AGENT_ID"];
  }

  /** Data in texts is left out of a request that is too large only, as the service searches with texts. */
  private request(messages: readonly Message[], question: Question): [Placeholders, string] {
    const placeholders = new Placeholders(messages);
    const body = this.body(placeholders.sent, question);
    if (Buffer.byteLength(body) <= LARGEST_BODY) return [placeholders, body];
    const lighter = new Placeholders(messages, true);
    return [lighter, this.body(lighter.sent, question)];
  }

  private body(messages: readonly Message[], question: Question): string {
    return JSON.stringify({
      org_id: this.settings.orgId ?? (this.settings.apiKey ? undefined : process.env["REMEMBRANCER_ORG_ID"]),
      agent_id: this.agent(question.agentId),
      user_id: isInHeader(question.userId) ? undefined : question.userId,
      model: question.model,
      session_id: question.sessionId,
      turn_id: question.turnId,
      request_id: question.requestId,
      tools: question.tools,
      options: question.options,
      time_zone: question.timeZone,
      messages,
    });
  }

  private async ask(
    body: string,
    messages: readonly Message[],
    userId: string | undefined,
    requestId: string,
    deadlineMs: number,
  ): Promise<Assembled> {
    const ending = new AbortController();
    const bell = setTimeout(() => ending.abort(), deadlineMs);
    try {
      const response = await this.send(body, userId, deadlineMs, ending.signal);
      return this.answered(response.status, response.headers, response.text, messages, requestId);
    } catch (error) {
      this.breaker.failed();
      if (ending.signal.aborted) return unchanged(messages, "timeout");
      return unchanged(messages, error instanceof InvalidAnswer ? "invalid_answer" : "unreachable");
    } finally {
      clearTimeout(bell);
    }
  }

  private async send(body: string, userId: string | undefined, deadlineMs: number, signal: AbortSignal) {
    const headers: Record<string, string> = {
      ...this.headers,
      "content-type": "application/json",
      "x-deadline-ms": String(Math.max(Math.floor(deadlineMs), 1)),
      ...header(userId),
    };
    const request = { method: "POST", headers, body, signal, redirect: "manual" as const };
    const response = await this.fetch(`${this.url}/v1/context/assemble`, request);
    const most = 6 * Buffer.byteLength(body) + (512 << 10);
    const parts: Uint8Array[] = [];
    let size = 0;
    const reader = response.body?.getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      size += next.value.length;
      if (size > most) throw new InvalidAnswer("The answer is too large.");
      parts.push(next.value);
    }
    return { status: response.status, headers: response.headers, text: Buffer.concat(parts).toString("utf8") };
  }

  private answered(
    status: number,
    headers: Headers,
    text: string,
    messages: readonly Message[],
    requestId: string,
  ): Assembled {
    if (status === 200) {
      const answer = read(json(text), messages, requestId);
      this.breaker.succeeded();
      return answer;
    }
    if (status < 400 || status >= 500) {
      this.breaker.failed();
      return unchanged(messages, `http_${status}`);
    }
    const { code, message } = fields(fields(json(text))["error"]);
    if (typeof code !== "string" || !code) throw new InvalidAnswer("The refusal is not the service's.");
    if (status === 429) this.breaker.openFor(retryAfterMs(headers));
    else this.breaker.succeeded();
    if (REFUSALS.includes(status)) this.tell(code, String(message));
    return unchanged(messages, code);
  }

  /** The same kind of request about nothing, which injects nothing; a first one makes the connection. */
  private async probe(question: Question, deadlineMs: number): Promise<void> {
    const messages = [{ role: "user", content: "." }];
    const { userId } = question;
    const body = this.body(messages, { ...question, requestId: randomUUID(), tools: [], options: { max_memories: 0 } });
    let succeeded = false;
    try {
      for (const ms of [PROBE_MS, deadlineMs]) {
        const { status, text } = await this.send(body, userId, deadlineMs, AbortSignal.timeout(ms));
        if (status === 200) read(json(text), messages, "");
        else if (status === 429 || status >= 500 || status < 400) throw new InvalidAnswer(`status ${status}`);
      }
      succeeded = true;
    } catch {
      // The next probe comes later.
    } finally {
      this.breaker.probed(succeeded);
    }
  }

  private tell(code: string, message: string): void {
    if (this.told.has(code)) return;
    this.told.add(code);
    console.warn(`Remembrancer refuses: ${code}: ${message}`);
    this.settings.onRefused?.(code, message);
  }
}

class BlankEndUser extends TypeError {}

/** The name in NFC and trimmed, so that one person has one name. A blank one never means that there is no end user. */
function endUser(written: string | null | undefined): string | undefined {
  if (written === undefined || written === null) return undefined;
  const name = trimmed(written.normalize("NFC"));
  if (isBlank(name)) throw new BlankEndUser("userId: must not be blank; leave it out where there is no end user");
  return name;
}

function isInHeader(userId: string | undefined): boolean {
  return userId !== undefined && VISIBLE_ASCII.test(userId);
}

/** The header of an end user whose name has only characters that a header can hold; the body names others. */
function header(userId: string | undefined): Record<string, string> {
  return userId !== undefined && isInHeader(userId) ? { "x-end-user-id": userId } : {};
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidAnswer("The answer is not JSON.");
  }
}

function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get("retry-after") ?? "1");
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds * 1000, 0), LONGEST_RETRY_AFTER_MS) : 1000;
}

/** Calls the API of the page's own origin. The key is in this object and nowhere else: a reload forgets it. */

const LONGEST_MS = 20_000;
/** The names that a header can hold. */
const IN_HEADERS = /^[!-~]([ -~]*[!-~])?$/;

/** @typedef {Record<string, any>} Json */

/** A refusal or failure of the service, in words that can be shown. */
export class ServiceError extends Error {
  /**
   * @param {number} status 0 when there was no answer
   * @param {string} code
   * @param {string} message
   * @param {Json} [fields]
   */
  constructor(status, code, message, fields = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }

  /** The message with every invalid field. */
  get text() {
    const named = Object.entries(this.fields).map(([name, problem]) => `${name} ${problem}`);
    return named.length ? `${this.message} ${named.join("; ")}.` : this.message;
  }

  /** Whether the route, or what it names, does not exist. */
  get isAbsent() {
    return this.status === 404;
  }
}

export class Service {
  #key;

  /** @param {string} key */
  constructor(key) {
    this.#key = key;
    /** The end user that requests act for: a name, `*`, or empty for shared memories only. */
    this.endUser = "";
    /** @type {Set<AbortController>} */
    this.waiting = new Set();
    /** Called when the number of requests without an answer changes. */
    this.changed = () => {};
  }

  /**
   * @param {string} path
   * @param {Json} [query] empty values are left out
   * @param {Json} [options]
   * @returns {Promise<Json>}
   */
  async get(path, query = {}, options = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return (await this.send("GET", text ? `${path}?${text}` : path, undefined, options)).body;
  }

  /**
   * A change; every POST has an `Idempotency-Key`, so that repeating it after a lost answer is safe.
   * @param {string} method
   * @param {string} path
   * @param {Json} [body]
   * @param {Json} [options]
   * @returns {Promise<Json>}
   */
  async change(method, path, body, options = {}) {
    const headers = method === "POST" ? { "Idempotency-Key": crypto.randomUUID?.() ?? String(Math.random()) } : {};
    return (await this.send(method, path, body, { ...options, headers: { ...headers, ...options.headers } })).body;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Json} [body]
   * @param {{headers?: Json, endUser?: string, quiet?: boolean}} [options] `quiet` requests are not shown as waiting
   * @returns {Promise<{status: number, body: Json, headers: Headers, elapsed_ms: number}>}
   */
  async send(method, path, body, options = {}) {
    const endUser = options.endUser ?? this.endUser;
    const headers = new Headers({ Authorization: `Bearer ${this.#key}`, ...(body ? { "Content-Type": "application/json" } : {}), ...options.headers });
    if (endUser) {
      if (!IN_HEADERS.test(endUser)) throw new ServiceError(0, "bad_end_user", "A header can name only end users in visible ASCII.");
      headers.set("X-End-User-ID", endUser);
    }
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort("late"), LONGEST_MS);
    if (!options.quiet) this.waiting.add(abort);
    this.changed();
    const started = performance.now();
    try {
      const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body), signal: abort.signal, credentials: "omit", cache: "no-store", redirect: "error" });
      const read = await readBody(answer);
      if (!answer.ok) throw refusal(answer, read);
      return { status: answer.status, body: read, headers: answer.headers, elapsed_ms: performance.now() - started };
    } catch (problem) {
      if (problem instanceof ServiceError) throw problem;
      if (abort.signal.reason === "late") throw new ServiceError(0, "no_answer", `The service did not answer within ${LONGEST_MS / 1000} s.`);
      if (abort.signal.aborted) throw new ServiceError(0, "cancelled", "The request was cancelled.");
      throw new ServiceError(0, "unreachable", "The service cannot be reached.");
    } finally {
      clearTimeout(timer);
      this.waiting.delete(abort);
      this.changed();
    }
  }

  /** Cancels every request that has no answer yet. */
  cancel() {
    for (const abort of this.waiting) abort.abort("cancelled");
  }
}

/**
 * @param {Response} answer
 * @returns {Promise<Json>}
 */
async function readBody(answer) {
  const text = await answer.text();
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    throw new ServiceError(answer.status, "no_json", `The answer (status ${answer.status}) is not JSON.`);
  }
}

/**
 * @param {Response} answer
 * @param {Json} body
 */
function refusal(answer, body) {
  const { code = "refused", message = body?.message, fields } = body?.error ?? {};
  const wait = answer.headers.get("Retry-After");
  const text = `${message ?? "The service refused the request."}${wait ? ` Retry after ${wait} s.` : ""}`;
  return new ServiceError(answer.status, code, text, fields);
}

/**
 * What the reasons of an incomplete answer mean, in words; the same as the Python client's. docs/deadlines.md lists the
 * service's reasons, the others are this client's.
 */

/** By what stands before `_timeout` or `_error:CAUSE`. */
const SOURCES: Readonly<Record<string, string>> = {
  assembly: "the whole answer",
  cold: "search by meaning",
  credential: "the check of the credential",
  decrypt: "decryption",
  directive: "the read of the directive",
  embed: "search by meaning",
  graph: "the search along relations",
  history: "the read of sessions, clusters and relations",
  hot: "the read of the most used memories",
  hyde: "the language model's hypotheses",
  lexical: "search by words",
  pinned: "the read of pinned memories",
  told: "the read of memories for earlier messages",
  vector: "search by meaning",
};
const UNCONFIRMED = "cached memories were left out, since the database did not confirm that they still exist";
/** By the reason's part before the colon. */
const WORDS: Readonly<Record<string, string>> = {
  blank_end_user: "the name of the end user is blank",
  circuit_open: "the service failed several times, and is not asked until it answers again",
  client_error: "the client failed",
  hash_embedding: "search by meaning found little, since the embedding model did not answer",
  incomplete_embeddings: "search by meaning found little, since memories wait for vectors of a new model",
  internal_error: "the service failed; its log has the details",
  invalid_answer: "what answered is not the service",
  overload: "memories were left out, since the service has more requests than it can answer in time",
  packaged_embedding: "search by meaning found little, since the embedding model did not answer",
  pinned_closed: "pinned memories were not decrypted in time",
  timeout: "no answer came in time",
  too_large: "the conversation is too large to be sent",
  unavailable: "a server that the service needs failed",
  unconfirmed: "the answer may have memories that were deleted just now, since the database did not confirm them",
  unreachable: "the service cannot be reached",
};
const LONGER = "Send a longer deadline.";

/** A sentence for each kind of fault, empty without reasons. Unknown names, of a newer service, are quoted. */
export function missing(reasons: readonly string[]): string {
  const [late, others] = [new Set<string>(), new Set<string>()];
  const failed = new Map<string, Set<string>>();
  for (const reason of reasons) {
    const [name = "", cause = ""] = parts(reason);
    const end = name.lastIndexOf("_");
    const [source, fault] = [name.slice(0, Math.max(end, 0)), name.slice(end + 1)];
    const words = own(SOURCES, source) ?? source;
    if (words && fault === "timeout") late.add(words);
    else if (words && fault === "error" && own(WORDS, name) === undefined && cause !== "Unconfirmed") {
      const because = cause ? ` (${cause})` : "";
      failed.set(because, (failed.get(because) ?? new Set()).add(words));
    } else if (reason) others.add(other(name, cause));
  }
  const sentences = [
    ...(late.size > 0 ? [`${together([...late])} took too long`] : []),
    ...[...failed].map(([cause, words]) => `${together([...words])} failed${cause}`),
    ...others,
  ];
  return sentences.map((one) => `${one.slice(0, 1).toUpperCase()}${one.slice(1)}.`).join(" ");
}

/** What is missing for the reason of an assembly (several are separated by commas), and what to do; or empty. */
export function explanation(reason: string): string {
  const reasons = reason.split(",");
  const isLate = reasons.some((one) => one === "timeout" || one.endsWith("_timeout") || one.endsWith(":timeout"));
  return `${missing(reasons)} ${isLate ? LONGER : ""}`.trim();
}

function other(name: string, cause: string): string {
  if (cause === "Unconfirmed") return UNCONFIRMED;
  const status = /^http_(\d+)$/.exec(name);
  if (status) return `the service answered with status ${status[1]}`;
  const words = own(WORDS, name) ?? `the service says ${name}`;
  return cause ? `${words} (${cause})` : words;
}

function parts(reason: string): [string, string] {
  const colon = reason.indexOf(":");
  return colon < 0 ? [reason, ""] : [reason.slice(0, colon), reason.slice(colon + 1)];
}

function together(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${last}` : last;
}

/** Not what every object has, such as `constructor`. */
function own(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

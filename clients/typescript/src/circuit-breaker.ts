const FAILURES = 5;
const WINDOW_MS = 10_000;
const PROBE_AFTER_MS = 1_000;
const PROBE_AT_MOST_EVERY_MS = 15_000;

/**
 * Opens after five failures within ten seconds; while open, every call is refused at once. `takeProbe` hands out the
 * right to one probe at a time, first after a second, then after twice as long each time.
 */
export class CircuitBreaker {
  private failures: number[] = [];
  private probeAt: number | undefined;
  private waitMs = PROBE_AFTER_MS;
  private probing = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get isOpen(): boolean {
    return this.probeAt !== undefined;
  }

  failed(): void {
    this.failures = [...this.failures, this.now()].slice(-FAILURES);
    const first = this.failures[0];
    if (!this.isOpen && this.failures.length === FAILURES && first !== undefined && this.now() - first <= WINDOW_MS) {
      this.openFor(PROBE_AFTER_MS);
    }
  }

  succeeded(): void {
    this.failures = [];
  }

  openFor(ms: number): void {
    this.waitMs = PROBE_AFTER_MS;
    this.probeAt = this.now() + ms;
  }

  takeProbe(): boolean {
    if (this.probing || this.probeAt === undefined || this.now() < this.probeAt) return false;
    this.probing = true;
    return true;
  }

  probed(succeeded: boolean): void {
    this.probing = false;
    this.failures = [];
    this.waitMs = Math.min(2 * this.waitMs, PROBE_AT_MOST_EVERY_MS);
    this.probeAt = succeeded ? undefined : this.now() + this.waitMs;
  }
}

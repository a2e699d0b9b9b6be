import type { ToWorker } from './messages.ts';

/** A worker to be notified of changes. */
export interface Listener {
  readonly id: number;
  readonly send: (message: ToWorker) => void;
}

interface OpenChange {
  readonly owner: Listener;
  /** The change's number within its worker. */
  readonly change: number;
  readonly service: string;
  /** Workers that haven't acknowledged it yet. */
  readonly waitingFor: Set<number>;
}

/**
 * The changes in flight in the workers. A worker forwards a change only after all others have dropped their lists, and
 * they cache none until it is done: once a client has the response to a change, every list must show it, whichever
 * worker answers.
 */
export class OpenChanges {
  readonly #open = new Map<string, OpenChange>();
  readonly #listeners = new Map<number, Listener>();

  /** Adds a worker and notifies it of the changes in flight before it answers anyone. */
  join(listener: Listener): void {
    this.#listeners.set(listener.id, listener);
    for (const [id, { service }] of this.#open) listener.send({ kind: 'change', change: id, service });
  }

  /** Removes a worker: its changes are done, and nobody waits for it any more. */
  leave(worker: number): void {
    this.#listeners.delete(worker);
    for (const { owner, change } of this.#open.values()) if (owner.id === worker) this.end(worker, change);
    for (const id of this.#open.keys()) this.acknowledge(id, worker);
  }

  begin(worker: number, change: number, service: string): void {
    const owner = this.#listeners.get(worker);
    if (!owner) return;
    const others = [...this.#listeners.values()].filter(({ id }) => id !== worker);
    if (others.length === 0) owner.send({ kind: 'all acknowledged', change });
    const id = idOf(worker, change);
    this.#open.set(id, { owner, change, service, waitingFor: new Set(others.map((other) => other.id)) });
    for (const other of others) other.send({ kind: 'change', change: id, service });
  }

  acknowledge(id: string, worker: number): void {
    const open = this.#open.get(id);
    if (open?.waitingFor.delete(worker) && open.waitingFor.size === 0)
      open.owner.send({ kind: 'all acknowledged', change: open.change });
  }

  end(worker: number, change: number): void {
    const id = idOf(worker, change);
    if (!this.#open.delete(id)) return;
    for (const other of this.#listeners.values())
      if (other.id !== worker) other.send({ kind: 'change over', change: id });
  }
}

function idOf(worker: number, change: number): string {
  return `${worker}-${change}`;
}

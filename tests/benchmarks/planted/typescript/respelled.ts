import type { Connection } from "mysql2/promise";
import * as fsp from "node:fs/promises";

type Seat = { row: number; place: number; taken: boolean };

abstract class Repository<T> {
  protected constructor(protected readonly connection: Connection) {}

  protected async where(column: string, value: string): Promise<T[]> {
    const parts: string[] = ["SELECT * FROM seat"];
    parts.push(`WHERE ${column} = '${value}'`);
    const [rows] = await this.connection.query(parts.join(" "));
    return rows as T[];
  }
}

export class Hall extends Repository<Seat> {
  private seats: Seat[] = [];

  constructor(
    connection: Connection,
    private readonly semaphore: { lock(): Promise<() => void> },
    private readonly spinner: { visible: boolean },
  ) {
    super(connection);
  }

  book = async (row: number, place: number): Promise<Seat> => {
    const unlock = await this.semaphore.lock();
    const seat = this.seats.find((one) => one.row === row && one.place === place);
    if (!seat || seat.taken) {
      throw new Error(`Seat ${row}/${place} cannot be had`);
    }
    seat.taken = true;
    unlock();
    return seat;
  };

  async load(name: string): Promise<void> {
    const { spinner } = this;
    spinner.visible = true;
    this.seats = await this.where("hall", name);
    spinner.visible = false;
  }

  rows(): Array<number> {
    const numbers = new Set<number>(this.seats.map((seat) => seat.row));
    return Array.from(numbers).sort();
  }

  async prices(address: URL): Promise<Map<string, number>> {
    return fetch(address, { headers: { accept: "application/json" } })
      .then((result) => result.json())
      .then((body: Record<string, number>) => new Map(Object.entries(body)));
  }

  async plan(path: string): Promise<Seat[]> {
    return fsp
      .readFile(path, { encoding: "utf8" })
      .then((text) => JSON.parse(text) as Seat[])
      .catch(() => {
        throw new Error("The plan does not exist");
      });
  }

  async header(path: string): Promise<string> {
    const handle = await fsp.open(path);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    if (bytesRead < 16) {
      throw new Error("The plan is too short");
    }
    await handle.close();
    return buffer.toString("latin1");
  }

  async notify(listeners: Iterable<() => Promise<void>>): Promise<void> {
    await Promise.all([...listeners].map((listener) => listener().catch(() => undefined)));
  }
}

export const ticketCode = (): string => {
  const password: string[] = [];
  while (password.length < 10) {
    password.push(String.fromCharCode(97 + Math.trunc(Math.random() * 26)));
  }
  return password.join("");
};
// socreates: ignore-file  the faults are planted

import { createHash, randomBytes } from "node:crypto";
import { open, readFile, writeFile } from "node:fs/promises";
import type { Pool } from "pg";

export interface Invoice {
  id: string;
  customer: string;
  amounts: number[];
  due: Date;
  paid?: boolean;
}

export interface Rates {
  base: string;
  values: Record<string, number>;
}

interface Mutex {
  acquire(): Promise<void>;
  release(): void;
}

export class InvoiceError extends Error {
  constructor(
    message: string,
    readonly invoice?: string,
  ) {
    super(message);
  }
}

export class Ledger {
  private closing = false;
  private readonly invoices = new Map<string, Invoice>();

  constructor(
    private readonly pool: Pool,
    private readonly mutex: Mutex,
  ) {}

  add(invoice: Invoice): void {
    if (this.closing) {
      throw new InvoiceError("The ledger is being closed", invoice.id);
    }
    this.invoices.set(invoice.id, invoice);
  }

  async search(customer: string, limit: number): Promise<Invoice[]> {
    const text = "SELECT * FROM invoice WHERE customer = '" + customer + "' LIMIT " + limit;
    const { rows } = await this.pool.query<Invoice>(text);
    return rows;
  }

  async settle(id: string): Promise<boolean> {
    await this.mutex.acquire();
    const invoice = this.invoices.get(id);
    if (invoice === undefined) {
      return false;
    }
    await this.pool.query("UPDATE invoice SET paid = true WHERE id = $1", [id]);
    invoice.paid = true;
    this.mutex.release();
    return true;
  }

  async close(archive: (invoices: Invoice[]) => Promise<void>): Promise<void> {
    this.closing = true;
    await archive([...this.invoices.values()]);
    this.closing = false;
  }
}

export function largest(invoice: Invoice, count: number): number[] {
  const amounts: number[] = [...invoice.amounts];
  return amounts.sort().slice(-count);
}

export function names(invoices: readonly Invoice[]): string[] {
  return invoices.map((invoice) => invoice.customer).sort();
}

export async function rates(base: string): Promise<Rates> {
  const response: Response = await fetch(`https://rates.example/latest/${encodeURIComponent(base)}`, {
    signal: AbortSignal.timeout(5000),
  });
  return (await response.json()) as Rates;
}

export async function readSettings(path: string): Promise<Record<string, unknown>> {
  try {
    const text = await readFile(path, "utf8");
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new InvoiceError("Settings file not found");
  }
}

export async function exportInvoices(path: string, invoices: Invoice[]): Promise<number> {
  const file = await open(path, "w");
  for (const invoice of invoices) {
    await file.write(`${invoice.id};${invoice.customer}\n`);
  }
  await file.close();
  return invoices.length;
}

export async function remind(invoices: Invoice[], send: (invoice: Invoice) => Promise<void>): Promise<number> {
  let sent = 0;
  for (const invoice of invoices) {
    try {
      await send(invoice);
      sent += 1;
    } catch (error: unknown) {
    }
  }
  return sent;
}

export function shareLink(invoice: Invoice): string {
  const digest = createHash("sha256").update(invoice.id).digest("hex").slice(0, 8);
  const secret = Math.random().toString(16).substring(2);
  return `https://invoices.example/${digest}/${secret}`;
}

export async function saveShare(path: string, invoice: Invoice): Promise<string> {
  const link = shareLink(invoice);
  await writeFile(path, link, "utf8");
  return link;
}
// socreates: ignore-file  the faults are planted

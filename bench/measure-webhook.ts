import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processUsage } from './process-usage';
import type { Load, LoadResult } from './webhook-load';

/** The result of a load, and the CPU time that the server took per request. */
export interface WebhookMeasurements extends LoadResult {
  readonly cpuMsPerRequest: number;
}

/** Sends requests to the webhooks of a process, from another process. */
export async function measureWebhook(pid: number, load: Load): Promise<WebhookMeasurements> {
  const args = [...process.execArgv, join(__dirname, 'webhook-load.ts'), JSON.stringify(load)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let before = Number.NaN;
  let result: LoadResult | undefined;
  const ended = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    if (line === 'measuring') before = processUsage(pid).cpuMs;
    else result = JSON.parse(line);
  }
  const cpuMs = processUsage(pid).cpuMs - before;
  await ended;
  if (result === undefined) throw new Error('the load returned no result');
  return { ...result, cpuMsPerRequest: cpuMs / result.requests };
}

import { describeProblem } from '#base/findings/problem';
import { goDurationMs } from '#base/go-duration';
import { contextsInFleet } from '#lib/constructs/fleet/fleet-contexts';
import { NoKubeconfig, NoKubectl } from './kubectl';
import type { ReadOptions } from './observe-cluster';
import { Misuse, type Terminal } from './terminal';

/** The name of the file with contexts, if no option sets another one. */
export const FLEET_FILE = 'fleet.yaml';

/** Returns the contexts of clusters in a fleet file. @throws Misuse if it cannot be read */
export function contextsInFile(file: string, readFile: Terminal['readFile']): ReadonlyMap<string, string> {
  let text: string;
  try {
    text = readFile(file);
  } catch (error) {
    throw new Misuse(`--fleet ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const found = contextsInFleet(text);
  if (found instanceof Map) return found;
  throw new Misuse(
    `--fleet ${file}: ${[...(found as readonly Parameters<typeof describeProblem>[0][])].map(describeProblem).join(' ')}`,
  );
}

const REQUEST_MS = 20_000;

interface ReadingOptions {
  readonly timeout: string;
  readonly maxPages: number;
  readonly kubectl: string;
}

/** @throws Misuse if the timeout is not a duration */
export function readOptions({ timeout, maxPages, kubectl }: ReadingOptions): Omit<ReadOptions, 'context'> {
  const timeoutMs = durationOf('--timeout', timeout);
  return { program: kubectl, requestTimeoutMs: Math.min(timeoutMs, REQUEST_MS), timeoutMs, maxPages };
}

/** @throws Misuse if the text is not a duration */
export function durationOf(option: string, text: string, least = 1): number {
  const time = goDurationMs(text);
  if (time !== undefined && time >= least) return time;
  throw new Misuse(`${option} ${text} is not a duration, such as 90s or 30m`);
}

/** @throws Misuse if kubectl cannot be run, or cannot read its kubeconfig */
export async function withKubectl<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof NoKubeconfig) throw new Misuse(`kubectl cannot read its kubeconfig: ${error.message}`);
    if (error instanceof NoKubectl)
      throw new Misuse(`kubectl cannot be run (${error.message}): install it, or set --kubectl`);
    throw error;
  }
}

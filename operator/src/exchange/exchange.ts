import { readFileSync } from 'node:fs';
import { MEMBER_CONFIG_MAP, MEMBER_LABEL, memberCopyName } from '#anchor/trust-anchor';
import type { KubeClient, RequestOptions } from '#controller-runtime/client/kube-client';
import { loadConnection } from '#controller-runtime/client/kube-config';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import { createHealthServer } from '#controller-runtime/server/health-server';
import { createServerGroup } from '#controller-runtime/server/server-group';
import type { Logger } from '#controller-runtime/telemetry/logger';
import { sleep } from '#controller-runtime/timing/wait';
import type { ConfigMap } from '../anchor/objects/trust-anchor';
import { copiedReport } from './copied-report';
import type { ExchangeOptions } from './exchange-options';

const FIELD_MANAGER = 'linkerd-anchor-exchange';

/** Maximum number of bytes of an answer of the other cluster: a ConfigMap has at most 1 MiB, and its metadata. */
const MAX_BYTES = 2 * 1024 * 1024;

const TIMEOUT_MS = 10_000;

/**
 * Copies the report of another cluster on the shared trust anchor into this one, at each interval, until `stop` aborts.
 * It reads one ConfigMap in the other cluster, and writes one in this cluster.
 */
export async function exchange(options: ExchangeOptions, log: Logger, stop: AbortSignal): Promise<number> {
  const { healthPort, interval, member } = options;
  const here = createKubeClient(loadConnection(options), { fieldManager: FIELD_MANAGER });
  const there = memberClient(options);
  const state: { problem?: string } = { problem: 'nothing has been copied yet' };
  const probes = createServerGroup(log);
  probes.add(
    'health',
    createHealthServer({ port: healthPort, missing: () => (state.problem === undefined ? [] : [state.problem]), log }),
  );
  await probes.start();
  while (!stop.aborted) {
    const problem = await copyOnce(options, { here, there, log }, stop);
    if (problem !== undefined && problem !== state.problem) log.warn('the report was not copied', { member, problem });
    if (problem === undefined && state.problem !== undefined) log.info('the report is copied', { member });
    state.problem = problem;
    await sleep(interval, stop);
  }
  await probes.stop();
  return 0;
}

interface Ends {
  readonly here: KubeClient;
  readonly there: () => KubeClient;
  readonly log: Logger;
}

/** Returns why nothing was copied; undefined if the copy equals the report. */
async function copyOnce(
  { cluster = '', member = '', memberCertManagerNamespace, certManagerNamespace: namespace }: ExchangeOptions,
  { here, there, log }: Ends,
  signal: AbortSignal,
): Promise<string | undefined> {
  const limits = { signal, timeoutMs: TIMEOUT_MS };
  try {
    const report = await there().get<ConfigMap>(
      CONFIG_MAPS,
      `${memberCertManagerNamespace}/${MEMBER_CONFIG_MAP}`,
      limits,
    );
    const name = memberCopyName(member);
    const before = await here.get<ConfigMap>(CONFIG_MAPS, `${namespace}/${name}`, limits);
    const copied = copiedReport(report?.data, { cluster, member }, before?.data);
    if ('refused' in copied) return copied.refused;
    if (isSame(before, member, copied.data)) return undefined;
    const labels = { 'app.kubernetes.io/part-of': 'Linkerd', [MEMBER_LABEL]: member };
    const copy: ConfigMap = { metadata: { name, namespace, labels }, data: copied.data };
    const written = await here.apply(CONFIG_MAPS, copy, { ...limits, force: true });
    await removeOthers(written, copied.data, here, limits);
    log.debug('copied a report', { member });
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    return error instanceof Error
      ? [error.message, causeOf(error)].filter((text) => text !== '').join(': ')
      : 'unknown';
  }
}

/** Removes keys that another writer added to a copy: an apply would keep them, and the operator would trust them. */
async function removeOthers(
  { metadata: { name, namespace }, data = {} }: ConfigMap,
  copied: Readonly<Record<string, string>>,
  here: KubeClient,
  limits: RequestOptions,
): Promise<void> {
  const added = Object.keys(data).filter((key) => !(key in copied));
  if (added.length === 0) return;
  const body = { data: Object.fromEntries(added.map((key) => [key, null])) };
  await here.patch(CONFIG_MAPS, `${namespace}/${name}`, { type: 'merge', body }, limits);
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? cause.message : '';
}

function isSame(before: ConfigMap | undefined, member: string, data: Readonly<Record<string, string>>): boolean {
  if (before?.metadata.labels?.[MEMBER_LABEL] !== member) return false;
  const there = before.data ?? {};
  return [...Object.keys(there), ...Object.keys(data)].every((key) => there[key] === data[key]);
}

/** Returns a client of the other cluster: a new one when its kubeconfig has changed, for example its token. */
function memberClient({ memberKubeconfig: kubeconfig = '' }: ExchangeOptions): () => KubeClient {
  let known: { readonly text: string; readonly client: KubeClient } | undefined;
  return () => {
    const text = readFileSync(kubeconfig, 'utf8');
    if (known?.text !== text) {
      const client = createKubeClient(loadConnection({ kubeconfig }), {
        fieldManager: FIELD_MANAGER,
        maxBytes: MAX_BYTES,
      });
      known = { text, client };
    }
    return known.client;
  };
}

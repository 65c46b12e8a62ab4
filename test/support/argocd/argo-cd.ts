import { setTimeout as sleep } from 'node:timers/promises';
import type { ApplicationSet } from '#imports/crds/argoproj.io';
import { type Generated, generate } from '../../gitops/argocd/generate';
import { isPassing, startWorker } from '../anchor/worker';
import type { Client } from '../cluster/client';
import { syncFolder } from '../cluster/folder-sync';
import { type KubeObject, ref } from '../cluster/objects';
import { type Commit, folderSource, newestCommit } from './git-folder';

const API = 'argoproj.io/v1alpha1';
const RETRY_MS = 500;

/** Options of a fake Argo CD. */
export interface ArgoCdOptions {
  /** The bare repository that replaces the repository of every URL. */
  readonly repository: string;
  /** The objects that replace third-party charts, by the names of the charts. */
  readonly charts: Readonly<Record<string, readonly KubeObject[]>>;
  /** Returns the object to apply instead of an object; undefined to apply none. */
  readonly adapted: (object: KubeObject) => KubeObject | undefined;
}

/** A fake Argo CD. */
export interface FakeArgoCd {
  /** The API server's refusals, after each of which the sync was tried again. */
  readonly refusals: ReadonlySet<string>;
  stop(): Promise<void>;
}

/**
 * Simulates Argo CD for the ApplicationSets of a cluster. It generates Applications with Go's templates from a Git
 * repository, and ignores those that their project does not permit. It syncs each Application whose folder has
 * changed, wave by wave, until the API server refuses no object. It has no self-heal and prune, and takes charts from
 * its options.
 */
export function startFakeArgoCd(client: Client, options: ArgoCdOptions): FakeArgoCd {
  const ending = new AbortController();
  /** By Application: the commit and folder of the last sync, and its objects. */
  const synced = new Map<string, { readonly from: string; readonly wanted: string }>();
  const generated = new Map<string, readonly Generated[]>();
  const syncs = new Map<string, Promise<void>>();
  const refusals = new Set<string>();
  const sync = async (name: string, commit: Commit, application: Generated['template']): Promise<void> => {
    const { path = '' } = application.spec.source ?? {};
    const from = `${commit.id}:${path}`;
    if (synced.get(name)?.from === from) return;
    const { charts, objects } = folderSource(commit.files(path));
    const wanted = JSON.stringify([charts, objects]);
    if (synced.get(name)?.wanted === wanted) return void synced.set(name, { from, wanted });
    // Argo CD reports an Application whose objects are missing as healthy.
    await setStatus(client, name, ['OutOfSync', 'Healthy']);
    const all = [...charts.flatMap((chart) => options.charts[chart] ?? []), ...objects].flatMap((object) => {
      const adapted = options.adapted(object);
      return adapted === undefined ? [] : [adapted];
    });
    await syncFolder(client, all, { shuffled: (wave) => wave, delayMs: 0, signal: ending.signal });
    synced.set(name, { from, wanted });
    await setStatus(client, name, ['Synced', 'Healthy']);
  };
  const begin = (name: string, commit: Commit, application: Generated['template']): void => {
    const attempt = sync(name, commit, application)
      .catch(async (error) => {
        if (ending.signal.aborted) return;
        if (!isPassing(error)) throw error;
        refusals.add(`${name}: ${(error as Error).message}`);
        await sleep(RETRY_MS);
      })
      .finally(() => syncs.delete(name));
    syncs.set(name, attempt);
  };
  const lookAt = async (set: KubeObject, commit: Commit): Promise<void> => {
    const { namespace } = set.metadata;
    const question = JSON.stringify([set.spec, commit.id]);
    const applications =
      generated.get(question) ?? generate(set as unknown as ApplicationSet, { folders: commit.folders });
    generated.set(question, applications);
    const [projects, existing] = await Promise.all([
      client.list(API, 'AppProject', { namespace }),
      client.list(API, 'Application', { namespace }),
    ]);
    for (const { template } of applications) {
      const { name } = template.metadata;
      if (!existing.some(({ metadata }) => metadata.name === name))
        await client.apply({ ...ref(API, 'Application', name, namespace), spec: template.spec });
      if (permits(projects, template) && !syncs.has(name)) begin(name, commit, template);
    }
    if (set.status?.conditions === undefined)
      await client.patch(set, { status: { conditions: [UP_TO_DATE] } }, { subresource: 'status' });
  };
  let commit: Commit | undefined;
  const worker = startWorker(
    async () => {
      commit = newestCommit(options.repository, commit);
      if (commit === undefined) return;
      for (const set of await client.list(API, 'ApplicationSet')) await lookAt(set, commit);
    },
    { idleMs: RETRY_MS },
  );
  return {
    refusals,
    stop: async () => {
      ending.abort();
      await worker.stop();
      await Promise.allSettled(syncs.values());
    },
  };
}

const UP_TO_DATE = {
  type: 'ResourcesUpToDate',
  status: 'True',
  reason: 'ApplicationSetUpToDate',
  message: 'All applications have been generated successfully',
  lastTransitionTime: '2026-11-22T00:00:00Z',
};

/** Whether an Application's project permits its namespace. */
function permits(projects: readonly KubeObject[], { spec }: Generated['template']): boolean {
  const project = projects.find(({ metadata }) => metadata.name === spec.project);
  const destinations: readonly { readonly namespace?: string }[] = project?.spec.destinations ?? [];
  return destinations.some((destination) => destination.namespace === spec.destination.namespace);
}

async function setStatus(client: Client, name: string, [sync, health]: readonly [string, string]): Promise<void> {
  const [application] = await client.list(API, 'Application', { fieldSelector: `metadata.name=${name}` });
  if (application === undefined) return;
  await client.patch(application, { status: { sync: { status: sync }, health: { status: health } } });
}

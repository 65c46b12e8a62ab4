import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Problem } from '#base/findings/problem';
import { checkByApiRules } from '#kubernetes/api-rules/walk';
import { checkCron } from '#kubernetes/cron';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { schemaAddress } from '#kubernetes/schemas/schema-store';
import { checkMetadata } from '#lib/checks/object-metadata';
import { isClusterScoped } from '#linkerd/api-groups';
import { type OwnCluster, startCluster } from '#test/support/cluster/cluster';
import { customResourceDefinitions } from '#test/support/cluster/crds';
import type { KubeObject } from '#test/support/cluster/objects';
import { ApiError } from '#test/support/cluster/rest';
import { type OddObject, oddObject } from './odd-values';
import { Random } from './random';
import { BUILT_IN_SAMPLES, customSamples } from './samples';

/** More, and others: by hand, for a change of the rules or of the version of Kubernetes. */
const RUNS = Number(process.env.API_RULES_RUNS ?? 2_000);
const SEED = Number(process.env.API_RULES_SEED ?? 2026);
/** Only these, such as `Service,Ingress`: by hand, to try a rule before all others. */
const KINDS = process.env.API_RULES_KINDS?.split(',');

/** How many requests are under way at once. */
const CONCURRENCY = 8;

const NAMESPACE = 'api-rules';
const SAMPLES = [...BUILT_IN_SAMPLES, ...customSamples()]
  .filter(({ kind }) => KINDS === undefined || KINDS.includes(kind))
  .map(placed);

let cluster: OwnCluster;

beforeAll(async () => {
  // Of its own: the definitions are cluster-wide. Without controllers, which would take time from the API server.
  cluster = await startCluster({ controllers: false });
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await Promise.all(definitions().map((definition) => cluster.apply(definition)));
});

afterAll(() => cluster?.stop());

/** The definitions of the custom resources among the samples; those of a folder, by hand, have more rules. */
function definitions(): readonly KubeObject[] {
  const groups = new Set(SAMPLES.map(({ apiVersion, kind }) => `${apiGroup(apiVersion)}/${kind}`));
  return upstreamDefinitions().filter(({ spec }) => groups.has(`${spec.group}/${spec.names.kind}`));
}

function upstreamDefinitions(): readonly KubeObject[] {
  const folder = process.env.API_RULES_CRDS;
  if (folder === undefined) return customResourceDefinitions();
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .map((document) => document.toJS() as KubeObject)
    .filter((object) => object?.kind === 'CustomResourceDefinition');
}

function placed(sample: KubernetesObject): KubernetesObject {
  return isClusterScoped(sample) ? sample : { ...sample, metadata: { ...sample.metadata, namespace: NAMESPACE } };
}

/** Labels that are no texts are the schema's. */
function metadata(object: KubernetesObject): readonly Problem[] {
  const { labels, annotations } = object.metadata;
  const texts = [...Object.values(labels ?? {}), ...Object.values(annotations ?? {})];
  return texts.every((text) => typeof text === 'string') ? checkMetadata(object) : [];
}

/** What the library says of an object by itself. */
function ours(object: KubernetesObject): string | undefined {
  const { schedule } = (object.spec ?? {}) as { readonly schedule?: unknown };
  const cron = object.kind === 'CronJob' && typeof schedule === 'string' ? checkCron('spec.schedule', schedule) : [];
  const [problem] = [...checkByApiRules(object), ...cron, ...metadata(object)];
  return problem === undefined ? undefined : `${problem.what}. ${problem.why}`;
}

/**
 * What the API server says, if it refuses: by server-side apply, as Argo CD does; and by a request to create the object
 * where a number is odd, because server-side apply cuts numbers that are too long for their field, without a word.
 */
async function theirs(object: KubernetesObject, odd?: unknown): Promise<string | undefined> {
  try {
    const body = object as unknown as KubeObject;
    await cluster.apply(body, { dryRun: true, force: true });
    if (typeof odd === 'number') await cluster.create(body, { dryRun: true });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** What cannot be told from the object alone, or is told otherwise on purpose. */
const SKIPPED: Readonly<Record<string, RegExp>> = {
  'CEL is compiled by the API server': /[eE]xpression$/,
  'the IP addresses of Services are of the range of the cluster': /^spec\.clusterIPs?(?:\.|$)/,
  'so are their families': /^spec\.ipFamil/,
  'objects in others need not say what they are, and must not lie':
    /^spec\.volumeClaimTemplates\.\d+\.(?:apiVersion|kind)$/,
  'time zones are those of the machine': /^spec\.timeZone$/,
  'Go patterns that JavaScript cannot read': /partial_response_strategy$/,
  'rules between the fields of a filter': /filters\.\d+\./,
  'OpenAPI asks for it, though API servers add it themselves': /^roleRef\.apiGroup$|ownerReferences/,
};

/** The imported schemas do not have the CEL rules of the definitions; those upstream do. */
const CEL_RULES = /^spec\.(?:venafi|sources|target|parentRefs|rules\.\d+\.(?:backendRefs|filters|matches))(?:\.|$)/;

function isSkipped(path: string): boolean {
  if (process.env.API_RULES_CRDS === undefined && CEL_RULES.test(path)) return true;
  return Object.values(SKIPPED).some((pattern) => pattern.test(path));
}

/**
 * API servers do not hold custom resources to the 32 bits of a number. The controllers that read these do, and one such
 * object keeps them from reading any other.
 */
function isTooLong({ object, odd }: OddObject): boolean {
  const isCustom = schemaAddress(`${object.apiVersion}/${object.kind}`)?.startsWith('crds/') ?? false;
  return isCustom && typeof odd === 'number' && Math.abs(odd) >= 2 ** 31;
}

test('the rules and the API server accept each sample', async () => {
  for (const sample of SAMPLES) {
    expect([sample.kind, ours(sample), await theirs(sample)]).toEqual([sample.kind, undefined, undefined]);
  }
});

test('the rules refuse exactly the objects that the API server refuses', async () => {
  const random = new Random(SEED);
  const odd = Array.from({ length: RUNS }, () => oddObject(random.pick(SAMPLES), random, isSkipped));
  const disagreements: object[] = [];
  let refused = 0;
  const queue = odd.values();
  const worker = async () => {
    for (const one of queue) {
      const [here, there] = [ours(one.object), await theirs(one.object, one.odd)];
      if (there !== undefined) refused += 1;
      if ((here === undefined) !== (there === undefined) && !isTooLong(one))
        disagreements.push(describeDisagreement(one, here, there));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  expect(disagreements).toEqual([]);
  // Else nothing odd was asked.
  expect(refused).toBeGreaterThan(RUNS / 5);
}, 3_600_000);

function describeDisagreement({ object, path, odd }: OddObject, here: string | undefined, there: string | undefined) {
  return { at: `${object.kind}.${path.join('.')}`, odd, here, there: there?.slice(0, 300) };
}

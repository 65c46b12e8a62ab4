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

/** Raise or change these by hand after a change of the rules or of the version of Kubernetes. */
const RUNS = Number(process.env.API_RULES_RUNS ?? 2_000);
const SEED = Number(process.env.API_RULES_SEED ?? 2026);
/** Restricts the test to these kinds, such as `Service,Ingress`, while you work on a rule. */
const KINDS = process.env.API_RULES_KINDS?.split(',');

const CONCURRENCY = 8;

const NAMESPACE = 'api-rules';
const SAMPLES = [...BUILT_IN_SAMPLES, ...customSamples()]
  .filter(({ kind }) => KINDS === undefined || KINDS.includes(kind))
  .map(placed);

let cluster: OwnCluster;

beforeAll(async () => {
  // The CRDs are cluster-wide, so the cluster is not shared. Controllers would slow the API server down.
  cluster = await startCluster({ controllers: false });
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await Promise.all(definitions().map((definition) => cluster.apply(definition)));
});

afterAll(() => cluster?.stop());

/** Returns the CRDs of the samples. Those in the folder API_RULES_CRDS have more rules than the imported ones. */
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

/** Checks labels and annotations that are strings; the schema refuses all others. */
function metadata(object: KubernetesObject): readonly Problem[] {
  const { labels, annotations } = object.metadata;
  const texts = [...Object.values(labels ?? {}), ...Object.values(annotations ?? {})];
  return texts.every((text) => typeof text === 'string') ? checkMetadata(object) : [];
}

/** Returns the first problem that the library reports about an object. */
function ours(object: KubernetesObject): string | undefined {
  const { schedule } = (object.spec ?? {}) as { readonly schedule?: unknown };
  const cron = object.kind === 'CronJob' && typeof schedule === 'string' ? checkCron('spec.schedule', schedule) : [];
  const [problem] = [...checkByApiRules(object), ...cron, ...metadata(object)];
  return problem === undefined ? undefined : `${problem.what}. ${problem.why}`;
}

/**
 * Returns the error of the API server, if any. The request is a server-side apply, as of Argo CD. For an odd number, a
 * create request follows, because server-side apply silently truncates numbers that are too long for their field.
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

/** Fields that depend on more than the object, or that the library checks differently on purpose. */
const SKIPPED: Readonly<Record<string, RegExp>> = {
  'CEL is compiled by the API server': /[eE]xpression$/,
  'the IP addresses of Services come from a range of the cluster': /^spec\.clusterIPs?(?:\.|$)/,
  'the IP families of Services come from the cluster': /^spec\.ipFamil/,
  'apiVersion and kind of a volume claim template are optional, and must be right':
    /^spec\.volumeClaimTemplates\.\d+\.(?:apiVersion|kind)$/,
  'time zones come from the machine of the API server': /^spec\.timeZone$/,
  'Go patterns that JavaScript cannot read': /partial_response_strategy$/,
  'rules between the fields of a filter': /filters\.\d+\./,
  'OpenAPI requires these fields, and API servers add them': /^roleRef\.apiGroup$|ownerReferences/,
};

/** Fields with CEL rules, which the imported schemas lack and upstream CRDs have. */
const CEL_RULES = /^spec\.(?:venafi|sources|target|parentRefs|rules\.\d+\.(?:backendRefs|filters|matches))(?:\.|$)/;

function isSkipped(path: string): boolean {
  if (process.env.API_RULES_CRDS === undefined && CEL_RULES.test(path)) return true;
  return Object.values(SKIPPED).some((pattern) => pattern.test(path));
}

/**
 * API servers accept numbers over 32 bits in custom resources. Controllers fail to parse them, and a single such object
 * stops them from reading all others.
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
  // Too few refusals would mean that the odd values were valid.
  expect(refused).toBeGreaterThan(RUNS / 5);
}, 3_600_000);

function describeDisagreement({ object, path, odd }: OddObject, here: string | undefined, there: string | undefined) {
  return { at: `${object.kind}.${path.join('.')}`, odd, here, there: there?.slice(0, 300) };
}

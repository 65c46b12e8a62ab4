import { type ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { imageReferenceOf } from '#base/image-reference';
import type { ConfigMap } from '#imports/kubernetes';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';
import { checkDnsSubdomain } from '#kubernetes/names';
import { type ImageMirror, mirroredImage } from '#kubernetes/objects/mirrored-image';
import bundle from '#operator/build/bundle.json';
import { Cluster } from '../../gitops/tree/cluster';
import { manifest } from '../../gitops/tree/manifest';
import { OperatorImage } from '../../gitops/tree/operator-image';
import { OPERATOR_FINDINGS } from './findings';
import published from './published-image.json';

interface ChosenImage {
  readonly image: OperatorImage;
  readonly field: string;
}

/** Chooses the operator's image: the construct's own, else its cluster's, else the bundled one. */
export function chooseOperatorImage(scope: Construct, own: OperatorImage | undefined): ChosenImage {
  const cluster = Cluster.find(scope);
  const mirror = cluster?.mirror?.images ?? {};
  if (own !== undefined) return { image: fromMirror(own, mirror), field: 'image' };
  return { image: fromMirror(cluster?.operatorImage ?? OperatorImage.bundled(), mirror), field: 'operatorImage' };
}

/** Returns an image from the mirror, unless the user names a registry. */
function fromMirror(image: OperatorImage, mirror: ImageMirror): OperatorImage {
  // JavaScript may pass a string.
  if (image?.kind === 'published') {
    const reference = publishedReference();
    return reference === undefined
      ? image
      : { ...image, kind: 'registry', reference: mirroredImage(reference, mirror) };
  }
  if (image?.kind !== 'bundled' || image.node !== imageReference(OperatorImage.bundled())) return image;
  return { ...image, node: mirroredImage(image.node, mirror) };
}

/** Returns the image that nodes pull; the default for an invalid image, which `checkOperatorImage` reports. */
export function imageReference(image: OperatorImage): string {
  if (image.kind === 'bundled') return image.node;
  const reference = image.kind === 'registry' ? image.reference : undefined;
  return reference ?? imageReference(OperatorImage.bundled());
}

/** Reports an image that nodes cannot pull, or a tag that changes over time. */
export function checkOperatorImage(field: string, image: OperatorImage): readonly Problem[] {
  if (image?.kind === 'published') return [OPERATOR_FINDINGS.operatorImageRefusedUnpublished({ field })];
  // JavaScript may pass a string.
  if (image?.kind !== 'bundled' && image?.kind !== 'registry') {
    const value = String(JSON.stringify(image));
    return [OPERATOR_FINDINGS.operatorImageRefused({ field, value })];
  }
  const reference = imageReference(image);
  return [
    ...checkReference(image.kind === 'bundled' ? `${field}.node` : field, reference),
    ...(image.pullSecrets ?? []).flatMap((name, index) => checkDnsSubdomain(`${field}.pullSecrets[${index}]`, name)),
  ];
}

function checkReference(field: string, reference: string): readonly Problem[] {
  const parsed = imageReferenceOf(reference);
  if (parsed === undefined) return [KUBERNETES_FINDINGS.imageRefused({ field, image: reference })];
  const { tag, digest } = parsed;
  if (digest !== undefined || (tag !== undefined && tag !== 'latest')) return [];
  return [OPERATOR_FINDINGS.operatorImageRefusedVersion({ field, reference })];
}

interface PublishedRecord {
  /** The image by its digest. */
  readonly reference: string;
  /** sha256 of the program in the image. */
  readonly program: string;
}

/**
 * Returns the published image that runs exactly the program in this library. In a checkout, the file next to this
 * module names no image: `npx tsx tools/publication/record.ts` writes it into the package when the image is pushed.
 */
export function publishedReference(
  { image }: { readonly image: PublishedRecord | null } = published,
  program: string = BUNDLED_SHA256,
): string | undefined {
  return image?.program === program ? image.reference : undefined;
}

/** Name of the ConfigMap that contains the operator; the same for all versions. */
export const PROGRAM_CONFIG_MAP = 'linkerd-reconciler-program';

/** sha256 of the program in the ConfigMap. */
export const BUNDLED_SHA256: string = bundle.sha256;

/**
 * Returns the ConfigMap with the operator, in a namespace of the cluster (or plain cdk8s chart) of `scope`. Creates it
 * when the first pod in the namespace needs it.
 */
export function ensureProgramConfigMap(scope: Construct, namespace: string): ApiObject {
  const chart = Cluster.find(scope) ?? Chart.of(scope);
  const id = `operator-program-${namespace}`;
  const existing = chart.node.tryFindChild(id) as ApiObject | undefined;
  if (existing !== undefined) return existing;
  return manifest(chart, id, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: PROGRAM_CONFIG_MAP, namespace, labels: { 'app.kubernetes.io/part-of': 'linkerd-reconciler' } },
    data: { [LOADER_FILE]: LOADER },
    binaryData: { [PROGRAM_FILE]: bundle.zstd },
  } satisfies ConfigMap);
}

/** Environment variable with the sha256 of the program that the pod expects. */
export const PROGRAM_SHA256 = 'OPERATOR_SHA256';

/** Keys of the ConfigMap, which are the names of the mounted files. */
export const LOADER_FILE = 'run.cjs';
const PROGRAM_FILE = 'operator.cjs.zst';

/**
 * The source of the loader, which unpacks the program in its folder and runs it with the loader's arguments.
 *
 * For a moment after a change, a kubelet may mount the old ConfigMap. The pod names the program that it expects; if the
 * loader finds another one it exits, and the kubelet restarts it with the current ConfigMap.
 */
const LOADER = `'use strict';
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { zstdDecompressSync } = require('node:zlib');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  fail('the image has Node.js ' + process.versions.node + ', and the operator needs 22.19 or newer');
} else {
  run(zstdDecompressSync(readFileSync(join(__dirname, '${PROGRAM_FILE}'))));
}

function run(code) {
  const found = createHash('sha256').update(code).digest('hex');
  const wanted = process.env.${PROGRAM_SHA256};
  if (found !== wanted) {
    fail('the mounted ConfigMap has another program than this pod is for: it is being replaced', { wanted, found });
    return;
  }
  module._compile(code.toString('latin1'), join(__dirname, 'operator.cjs'));
}

function fail(msg, more) {
  console.error(JSON.stringify({ time: new Date().toISOString(), level: 'error', msg, ...more }));
  process.exitCode = 1;
}
`;

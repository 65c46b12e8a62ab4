import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANCHOR, SELF_SIGNED_ISSUER, TRUST_ROOTS } from '#anchor/trust-anchor';
import { shellWord } from '#base/shell-word';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { mirroredImage } from '#kubernetes/objects/mirrored-image';
import { CERT_MANAGER_NAMESPACE, CLUSTER, NODE_IMAGE } from '../program';
import { RUN_LABEL } from '../refusals';
import { type Step, until, type Walk } from '../walk';
import { synthAndSync } from './install';
import { adopted, HELM, WITHOUT_OPERATOR } from './takeover';

/** Adds an operator to a mesh that was installed by Linkerd's guide, without a program. */
export const HELM_MESH: Step = {
  name: 'helm-mesh',
  summary: "install a mesh by Linkerd's guide, and follow docs/helm-anchor.md: the anchor and all meshed pods stay",
  run: (walk) =>
    adopted(walk, {
      install: () =>
        Promise.all([synthAndSync(walk, WITHOUT_OPERATOR, { manager: HELM, inPlaceOf: asInGuide }), copyAnchor(walk)]),
      adopt: () => followPage(walk),
    }),
};

const PREVIOUS = 'linkerd-previous-anchor';

/** Returns the objects of Linkerd's guide to cert-manager that replace an object of the library. */
export function asInGuide(object: KubernetesObject): readonly KubernetesObject[] {
  const { kind, metadata } = object;
  const spec = SPECS[`${kind} ${metadata.name}`];
  if (spec !== undefined) return [{ ...object, spec } as KubernetesObject];
  return metadata.name === 'linkerd-issuers' ? [] : [object];
}

const SPECS: Readonly<Record<string, object>> = {
  [`Certificate ${ANCHOR}`]: {
    issuerRef: { kind: 'Issuer', name: SELF_SIGNED_ISSUER },
    secretName: ANCHOR,
    isCA: true,
    commonName: 'root.linkerd.cluster.local',
    // The guide's anchor expires after a year: the operator would replace it at once.
    duration: '87600h0m0s',
    renewBefore: '7320h0m0s',
    privateKey: { rotationPolicy: 'Always', algorithm: 'ECDSA' },
  },
  [`Bundle ${TRUST_ROOTS}`]: {
    sources: [ANCHOR, PREVIOUS].map((name) => ({ secret: { name, key: 'tls.crt' } })),
    target: {
      configMap: { key: 'ca-bundle.crt' },
      namespaceSelector: { matchLabels: { 'linkerd.io/is-control-plane': 'true' } },
    },
  },
};

/** Copies the anchor, because the guide's Bundle contains it twice, for manual rotations. */
async function copyAnchor(walk: Walk): Promise<void> {
  const { cluster } = walk;
  const namespace = CERT_MANAGER_NAMESPACE;
  await until(walk, async () => {
    const anchor = await cluster.get({ resource: 'secrets', name: ANCHOR, namespace });
    if (anchor === undefined) return `Secret ${ANCHOR}: it does not exist`;
    const { metadata: _, ...content } = anchor;
    return cluster.apply([{ ...content, metadata: { name: PREVIOUS, namespace } }], 'kubectl');
  });
}

const ROOT = join(__dirname, '..', '..', '..');

/** Replaces the command that the page gets from npm with the command of this checkout. */
const COMMAND = [process.execPath, join(ROOT, 'tools', 'start', 'start.cjs'), join(ROOT, 'bin', 'cdk8s-linkerd.ts')];
const NPX = `npx() { shift 4; ${COMMAND.map(shellWord).join(' ')} "$@"; }`;

/** Runs the commands of docs/helm-anchor.md. */
async function followPage({ cluster, outdir, settings: { run, images, nodeImage = NODE_IMAGE } }: Walk): Promise<void> {
  const { print, apply } = commandsIn(readFileSync(join(ROOT, 'docs', 'helm-anchor.md'), 'utf8'));
  const folder = `${outdir}.guide`;
  mkdirSync(folder);
  await cluster.shell(folder, `${NPX}\n${print}`);
  // Copied into the output, because the removal deletes the objects of the output.
  const file = join(folder, 'operator.yaml');
  const image = images === undefined ? nodeImage : mirroredImage(nodeImage, images);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(NODE_IMAGE, image));
  const output = join(outdir, CLUSTER, 'linkerd-reconciler');
  mkdirSync(output);
  copyFileSync(file, join(output, 'operator.yaml'));
  try {
    await cluster.shell(folder, apply);
  } finally {
    await cluster.until().run(['label', '--overwrite', `--filename=${file}`, `${RUN_LABEL}=${run}`]);
  }
}

/** Returns the commands of the page that print the operator, and those that apply it. */
export function commandsIn(page: string): { readonly print: string; readonly apply: string } {
  const [print = '', apply = '', clean = ''] = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines]) => lines);
  // According to the page, the first apply fails, and operator.yaml contains further commands.
  return {
    print,
    apply: `eval "$(sed -n 's/^# *\\(kubectl label \\)/\\1/p' operator.yaml)"\n${apply.replace('\n', ' || true\n')}${clean}`,
  };
}

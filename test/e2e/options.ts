import { parseArgs } from 'node:util';
import { goDurationMs } from '#base/go-duration';
import { DAY } from '#base/time-units';
import { LINKERD_VERSIONS, type LinkerdVersion } from '#linkerd/releases/known-releases';
import { checkSteps, STEPS, type StepName, stepsInOrder, USUAL_STEPS } from './walk';

/** The exit codes of a run. */
export const CODES = { done: 0, failed: 1, misuse: 2, interrupted: 130 } as const;

const FORMATS = ['text', 'json', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

/** The options of a run. */
export interface Options {
  readonly context: string;
  readonly kubeconfig?: string;
  readonly kubectl: string;
  readonly charts: string;
  readonly existingCertManager: boolean;
  readonly release?: LinkerdVersion;
  readonly images?: string | Readonly<Record<string, string>>;
  readonly nodeImage?: string;
  readonly rate: number;
  readonly propagationSeconds: number;
  readonly steps: readonly StepName[];
  readonly keep: boolean;
  readonly timeoutMs: number;
  readonly format: Format;
}

/** Options, or the error of the command line. */
export type Parsed = { readonly options: Options } | { readonly misuse: string } | { readonly help: true };

export const USAGE = `Runs a mesh with real proxies in a cluster, as a user does, and removes it again.

npx node --import tsx test/e2e/main.ts --context NAME [--charts DIR] [--steps STEP,…] [OPTION]…

  --context NAME           the cluster: a context of the kubeconfig. There is no default
  --kubeconfig FILE        (default: as kubectl)
  --charts DIR             the charts cert-manager, trust-manager and linkerd-crds: what "cdk8s-linkerd charts pull"
                           writes, or their folders (default: charts)
  --existing-cert-manager  use the cert-manager and the trust-manager of the cluster
  --release RELEASE        release of Linkerd (default: the newest that the library knows)
  --images REGISTRY        registry that replaces all others; or HOST=REGISTRY, once per host
  --node-image IMAGE       image with Node.js (default: the operator's image)
  --rate COUNT             requests per second of each of four kinds (default: 20)
  --propagation DURATION   the longest time until a changed ConfigMap reaches pods (default: 2m)
  --steps STEP,…           ${STEPS.join(', ')}
                           (default: all but helm-mesh and takeover)
  --timeout DURATION       the longest time of a step (default: 30m)
  --keep                   leave everything; remove it later with --steps removal
  --format FORMAT          ${FORMATS.join(', ')} (default: text)
  --kubectl PROGRAM        (default: kubectl)

Refuses a cluster with a mesh, with a cert-manager (without --existing-cert-manager), or with objects of an earlier run.
Exit codes: 0 all steps succeeded and nothing is left, 1 refused or failed, 2 misuse, 130 interrupted.
`;

const ARGUMENTS = {
  context: { type: 'string' },
  kubeconfig: { type: 'string' },
  kubectl: { type: 'string', default: 'kubectl' },
  charts: { type: 'string', default: 'charts' },
  'existing-cert-manager': { type: 'boolean', default: false },
  release: { type: 'string' },
  images: { type: 'string', multiple: true, default: [] as string[] },
  'node-image': { type: 'string' },
  rate: { type: 'string', default: '20' },
  propagation: { type: 'string', default: '2m' },
  steps: { type: 'string', default: USUAL_STEPS.join(',') },
  timeout: { type: 'string', default: '30m' },
  keep: { type: 'boolean', default: false },
  format: { type: 'string', default: 'text' },
  help: { type: 'boolean', default: false },
} as const;

/** Reads a command line. */
export function parseOptions(args: readonly string[]): Parsed {
  let values: ReturnType<typeof readArguments>;
  try {
    values = readArguments(args);
  } catch (error) {
    return { misuse: (error as Error).message };
  }
  if (values.help) return { help: true };
  const steps = values.steps.split(',').filter((name) => name !== '');
  const images = imagesOf(values.images);
  const misuse = misuses(values, steps, images)[0];
  if (misuse !== undefined || images === null) return { misuse: misuse ?? '' };
  const { context = '', kubeconfig, kubectl, charts, keep, release, rate } = values;
  return {
    options: {
      context,
      ...(kubeconfig !== undefined && { kubeconfig }),
      kubectl,
      charts,
      existingCertManager: values['existing-cert-manager'],
      ...(release !== undefined && { release: release as LinkerdVersion }),
      ...(images !== undefined && { images }),
      ...(values['node-image'] !== undefined && { nodeImage: values['node-image'] }),
      rate: Number(rate),
      propagationSeconds: (goDurationMs(values.propagation) ?? 0) / 1000,
      steps: stepsInOrder(steps),
      keep,
      timeoutMs: goDurationMs(values.timeout) ?? 0,
      format: values.format as Format,
    },
  };
}

function readArguments(args: readonly string[]) {
  return parseArgs({ args: [...args], options: ARGUMENTS }).values;
}

type Values = ReturnType<typeof readArguments>;

function misuses(
  values: Values,
  steps: readonly string[],
  images: ReturnType<typeof imagesOf> | null,
): readonly string[] {
  const { context, release, rate, format } = values;
  const isKnown = release === undefined || (LINKERD_VERSIONS as readonly string[]).includes(release);
  const stepsWrong = checkSteps(steps);
  return [
    ...(context ? [] : ['--context is missing: name the cluster, which has no default']),
    ...(isKnown ? [] : [`--release ${release} is not known: ${LINKERD_VERSIONS.join(', ')}`]),
    ...(images === null ? ['--images takes one registry, or HOST=REGISTRY for each host'] : []),
    ...(/^[1-9]\d{0,3}$/.test(rate) ? [] : [`--rate ${rate} is not a number from 1 to 9999`]),
    ...durationMisuse('--propagation', values.propagation),
    ...durationMisuse('--timeout', values.timeout),
    ...((FORMATS as readonly string[]).includes(format) ? [] : [`--format ${format}: one of ${FORMATS.join(', ')}`]),
    ...(stepsWrong === undefined ? [] : [`--steps ${stepsWrong}`]),
  ];
}

function durationMisuse(option: string, text: string): readonly string[] {
  const ms = goDurationMs(text);
  const isRight = ms !== undefined && ms >= 1000 && ms <= DAY;
  return isRight ? [] : [`${option} ${text} is not a duration from 1s to 24h`];
}

/** Returns the registries of images; null if they contradict each other. */
function imagesOf(given: readonly string[]): Options['images'] | null {
  if (given.length === 0) return undefined;
  const pairs = given.map((text) => text.split('='));
  if (given.length === 1 && pairs[0]?.length === 1) return given[0];
  const isMap = pairs.every((pair) => pair.length === 2 && pair.every((part) => part !== ''));
  return isMap ? Object.fromEntries(pairs) : null;
}

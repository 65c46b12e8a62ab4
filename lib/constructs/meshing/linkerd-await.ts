import { type ApiObject, JsonPatch } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { pointer, valueAtPointer } from '#base/json-pointer';
import { podPlaces } from '#kubernetes/objects/pod-places';
import { checkGoDuration, type DurationLike, milliseconds } from '#kubernetes/options/duration-like';
import { DURATION, keysOf } from '#kubernetes/options/known-keys';
import { describeApiObject } from '../../gitops/tree/meshable';
import { MESHING_FINDINGS } from './findings';
import { appendAt } from './json-patch';

/**
 * The settings of a job that runs under `linkerd-await --shutdown` (https://github.com/linkerd/linkerd-await): it waits
 * for the proxy, runs the job's command, and then stops the proxy. Required in 2.14, whose proxies keep running after
 * the job; later releases disable the proxy's shutdown endpoint.
 */
export interface LinkerdAwait {
  /**
   * Path of the program in the container or, if `copyFrom` is set, in that image.
   *
   * @default '/linkerd-await' - as in the project's README
   */
  readonly path?: string;

  /**
   * Image from which to copy the program before the job starts. It needs `cp` and the statically linked program.
   * Linkerd publishes the program only as a file, and its proxy's image, which contains it, has no `cp`.
   *
   * @default - the image of the job's container has the program
   */
  readonly copyFrom?: string;

  /**
   * Name of the container whose exit ends the job.
   *
   * @default - the job's only container
   */
  readonly container?: string;

  /**
   * How long to wait for a proxy before giving up; whole seconds.
   *
   * @default - forever
   */
  readonly timeout?: DurationLike;
}

/** The keys of LinkerdAwait. */
export const LINKERD_AWAIT = keysOf<LinkerdAwait>({ path: true, copyFrom: true, container: true, timeout: DURATION });

interface Container {
  readonly name?: string;
  readonly command?: readonly string[];
  readonly securityContext?: unknown;
}

const VOLUME = 'linkerd-await';
const MOUNT = '/opt/linkerd-await';

/**
 * Wraps a job's command in linkerd-await; returns the problems that prevent it. The job must already have its
 * containers.
 */
export function wrapInLinkerdAwait(job: ApiObject, options: LinkerdAwait): readonly Problem[] {
  const document = job.toJson();
  const spec = podPlaces(document)[0]?.spec ?? '';
  const containers = containersOf(valueAtPointer(document, spec));
  const index = options.container === undefined ? 0 : containers.findIndex(({ name }) => name === options.container);
  const container = containers[index];
  const problems = checkWrap(describeApiObject(job), containers, container, options);
  if (problems.length > 0 || container === undefined) return problems;
  const path = options.path ?? '/linkerd-await';
  const place = pointer(spec, 'containers', index);
  const program = options.copyFrom === undefined ? path : `${MOUNT}/linkerd-await`;
  const timeout = options.timeout === undefined ? [] : [`--timeout=${milliseconds(options.timeout) / 1000}s`];
  const command = [program, '--shutdown', ...timeout, '--', ...(container.command ?? [])];
  job.addJsonPatch(JsonPatch.replace(`${place}/command`, command));
  if (options.copyFrom !== undefined) {
    const mount = { name: VOLUME, mountPath: MOUNT };
    const { securityContext } = container;
    const copy = {
      name: VOLUME,
      image: options.copyFrom,
      command: ['cp', path, program],
      volumeMounts: [mount],
      // The pod security of the namespace applies to this container, too.
      ...(securityContext === undefined ? {} : { securityContext }),
    };
    job.addJsonPatch(
      appendAt(document, `${spec}/volumes`, { name: VOLUME, emptyDir: {} }),
      appendAt(document, `${spec}/initContainers`, copy),
      appendAt(document, `${place}/volumeMounts`, { ...mount, readOnly: true }),
    );
  }
  return [];
}

function checkWrap(
  job: string,
  containers: readonly Container[],
  container: Container | undefined,
  options: LinkerdAwait,
): readonly Problem[] {
  const names = containers.map(({ name }) => name).join(', ');
  if (container === undefined) {
    return [
      MESHING_FINDINGS.linkerdAwaitRefusedContainerUnknown({
        container: `${options.container}`,
        job,
        containers: names,
      }),
    ];
  }
  const problems: Problem[] = [];
  if (containers.length > 1 && options.container === undefined) {
    problems.push(MESHING_FINDINGS.linkerdAwaitRefusedContainerMissing({ job, containers: names }));
  }
  if (container.command === undefined || container.command.length === 0) {
    problems.push(MESHING_FINDINGS.linkerdAwaitRefusedCommand({ container: `${container.name}`, job }));
  }
  const { timeout = '0s' } = options;
  const wrong = checkGoDuration('linkerdAwait.timeout', timeout);
  problems.push(...wrong);
  const ms = wrong.length > 0 ? 0 : milliseconds(timeout);
  if (ms % 1000 !== 0) problems.push(MESHING_FINDINGS.linkerdAwaitRefusedTimeout({ milliseconds: ms }));
  return problems;
}

function containersOf(podSpec: unknown): readonly Container[] {
  const containers = valueAtPointer(podSpec, '/containers');
  return Array.isArray(containers) ? (containers as readonly Container[]) : [];
}

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, Duration } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { describeProblem, type Problem } from '#base/findings/problem';
import {
  CertManager,
  CertManagerPKI,
  type CertManagerPKIProps,
  type CertManagerProps,
  type Cluster,
  type ClusterProps,
  dependsOn,
  LinkerdControlPlane,
  type LinkerdControlPlaneProps,
  Platform,
  type PlatformProps,
  SynthError,
  TrustBundle,
  TrustManager,
  type TrustManagerProps,
} from '#lib';
import { fingerprints } from '../gitops/synth/output/tree-on-disk';

/** The constructs of a mesh whose props tests make wrong. */
export interface Mesh {
  readonly certManager: CertManager;
  readonly trustManager: TrustManager;
  readonly pki: CertManagerPKI;
  readonly trust: TrustBundle;
  readonly controlPlane: LinkerdControlPlane;
}

/** The props that differ from those of a correct cluster. */
export interface Mistakes {
  readonly certManager?: CertManagerProps;
  readonly trustManager?: Partial<TrustManagerProps>;
  readonly pki?: Partial<CertManagerPKIProps>;
  readonly controlPlane?: Partial<LinkerdControlPlaneProps>;
}

/** A correct mesh, except for the given props. */
export function mesh(cluster: Cluster, mistakes: Mistakes = {}): Mesh {
  const made = new MeshOnDemand(cluster, mistakes);
  const { certManager, trustManager, pki, trust, controlPlane } = made;
  return { certManager, trustManager, pki, trust, controlPlane };
}

/** The same mesh, with each part created at its first use: a check of a cluster with fewer parts is faster. */
export class MeshOnDemand implements Mesh {
  private readonly made: { -readonly [Part in keyof Mesh]?: Mesh[Part] } = {};

  constructor(
    private readonly cluster: Cluster,
    private readonly mistakes: Mistakes = {},
  ) {}

  get certManager(): CertManager {
    this.made.certManager ??= new CertManager(this.cluster, 'cert-manager', this.mistakes.certManager);
    return this.made.certManager;
  }

  get trustManager(): TrustManager {
    const { certManager, mistakes } = this;
    this.made.trustManager ??= new TrustManager(this.cluster, 'trust-manager', {
      certManager,
      ...mistakes.trustManager,
    });
    return this.made.trustManager;
  }

  get pki(): CertManagerPKI {
    const { certManager, mistakes } = this;
    const alerts = { namespace: 'monitoring' };
    this.made.pki ??= new CertManagerPKI(this.cluster, 'pki', { certManager, alerts, ...mistakes.pki });
    return this.made.pki;
  }

  get trust(): TrustBundle {
    const { pki, trustManager } = this;
    this.made.trust ??= new TrustBundle(this.cluster, 'trust', { pki, trustManager });
    return this.made.trust;
  }

  get controlPlane(): LinkerdControlPlane {
    const { pki, trust, mistakes } = this;
    this.made.controlPlane ??= new LinkerdControlPlane(this.cluster, 'linkerd', {
      pki,
      trust,
      ...mistakes.controlPlane,
    });
    return this.made.controlPlane;
  }
}

/** A window in hours. */
export function hours(duration: number, renewBefore: number) {
  return { duration: Duration.hours(duration), renewBefore: Duration.hours(renewBefore) };
}

/** Adds objects as a user writes them by hand, at `<cluster>/own/<kind>`, after other constructs. */
export function byHand(
  cluster: Cluster,
  after: readonly IConstruct[],
  ...objects: readonly { apiVersion: string; kind: string; metadata: object; [field: string]: unknown }[]
): void {
  const own = new Construct(cluster, 'own');
  dependsOn(own, ...after);
  for (const object of objects) new ApiObject(own, object.kind, object);
}

/** A problem: its path, its code, and the parameters that identify the mistake. */
export interface Expected extends Pick<Problem, 'code' | 'cause' | 'parameters'> {
  readonly at: string;
}

/** Matches exactly these problems, in this order. */
export function exactly(...expected: readonly Expected[]) {
  return expected.map(({ at, code, cause, parameters = {} }) =>
    expect.objectContaining({
      path: at,
      code,
      ...(cause !== undefined && { cause }),
      parameters: expect.objectContaining(parameters),
    }),
  );
}

/**
 * Expects the problem of the mistake first, before the problems of objects that follow from it. Equal problems are
 * merged, so one mistake causes only a few.
 */
export function expectFirst(problems: readonly unknown[], expected: Expected): void {
  expect(problems.slice(0, 1)).toEqual(exactly(expected));
  expect(problems.length).toBeLessThanOrEqual(MAX_OF_ONE);
}

/** The largest number of problems that one mistake may cause. */
export const MAX_OF_ONE = 5;

/** A function that builds a cluster. */
export type Build = (cluster: Cluster) => void;

/** The differences of one synthesis from that of the correct platform. */
export interface Attempt {
  readonly props?: Partial<PlatformProps>;
  readonly cluster?: ClusterProps;
  /** Clusters besides `home`, by name. */
  readonly others?: Readonly<Record<string, Build>>;
}

/**
 * A correct platform, whose complete output is on disk before the first test.
 *
 * `refused` synthesizes it with another `home`, and returns the problems of the refusal; an empty list if there was
 * none. After a refusal, it expects that no byte and no time on disk has changed.
 */
export function rightPlatform() {
  let directory = '';
  const synth = (build: Build, { props, cluster, others = {} }: Attempt) => {
    const repoUrl = 'https://git.example.com/platform.git';
    const platform = new Platform({ repoUrl, outdir: join(directory, 'dist'), ...props });
    platform.addCluster('home', { destination: { name: 'home' }, ...cluster }, build);
    for (const [name, other] of Object.entries(others)) platform.addCluster(name, { destination: { name } }, other);
    return platform.synth();
  };
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'bad-input-'));
    synth((cluster) => void mesh(cluster), {});
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  return {
    refused: (build: Build, attempt: Attempt = {}) => refusal(join(directory, 'dist'), () => synth(build, attempt)),
  };
}

/** A problem for which a platform was refused. */
interface Refused extends Pick<Problem, 'code' | 'cause' | 'parameters'> {
  readonly path: string;
  readonly message: string;
}

function refusal(outdir: string, synth: () => unknown): readonly Refused[] {
  const before = fingerprints(outdir);
  try {
    synth();
  } catch (error) {
    if (!(error instanceof SynthError)) throw error;
    expect(fingerprints(outdir)).toEqual(before);
    expect(existsSync(join(outdir, '.cdk8s-linkerd-staging'))).toBe(false);
    return error.findings
      .filter(({ severity }) => severity === 'error')
      .map(({ path, problem }) => {
        const { code, cause, parameters = {} } = problem;
        return { path, message: describeProblem(problem), code, cause, parameters };
      });
  }
  return [];
}

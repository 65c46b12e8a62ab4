import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Construct } from 'constructs';
import type { Container, PodSpec } from '#imports/kubernetes';
import { ALLOCATION, type OperatorPod, operatorPod } from '#lib/constructs/operator/operator-pod';
import { OperatorImage } from '#lib/gitops/tree/operator-image';
import { build, type Written } from './fixture';

const namespace = 'linkerd';

function podWith(request: Partial<OperatorPod> = {}): { pod: PodSpec; configMap: Written } {
  const { image = OperatorImage.bundled() } = request;
  let pod: PodSpec | undefined;
  const { objects, problems } = build(
    (cluster) => {
      const whole = { image, namespace, openShift: false, pod: {}, ...request };
      pod = operatorPod(new Construct(cluster, 'user'), {
        container: { name: 'rotate', args: ['rotate', '--help'] },
        ...whole,
      });
    },
    { external: [{ kind: 'Namespace', name: namespace }] },
  );
  // With another image no ConfigMap is emitted, and synth refuses a cluster without objects.
  if (image.kind === 'bundled') expect(problems).toEqual([]);
  if (pod === undefined) throw new Error('not built');
  return { pod, configMap: objects.get('linkerd/configmap.linkerd-reconciler-program') };
}

function containerOf(pod: PodSpec): Container {
  const [container] = pod.containers;
  if (container === undefined) throw new Error('no container');
  return container;
}

describe('the bundled operator', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mount-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Mounts a ConfigMap as a kubelet does: its files are links into a folder with a version. */
  function mount({ data, binaryData }: Written): void {
    const version = join(folder, '..2026_01_01');
    mkdirSync(version);
    symlinkSync('..2026_01_01', join(folder, '..data'));
    const files = [
      ...Object.entries<string>(data),
      ...Object.entries<string>(binaryData).map(([name, text]) => [name, Buffer.from(text, 'base64')] as const),
    ];
    for (const [name, contents] of files) {
      writeFileSync(join(version, name), contents);
      symlinkSync(join('..data', name), join(folder, name));
    }
  }

  /** Runs the command of the container with the files in `folder`. */
  function run(pod: PodSpec, more: NodeJS.ProcessEnv = {}) {
    const { command = [], args = [], env = [], volumeMounts = [] } = containerOf(pod);
    const [path = ''] = volumeMounts.filter(({ name }) => name === 'program').map(({ mountPath }) => mountPath);
    const [program = '', ...rest] = [...command, ...args].map((text) =>
      text.replace(new RegExp(`^${path}/`), `${folder}/`),
    );
    expect(program).toBe('node');
    const environment = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    return spawnSync(process.execPath, rest, { env: { ...environment, ...more }, encoding: 'utf8' });
  }

  it('is started from the ConfigMap by the command of the pod', () => {
    const { pod, configMap } = podWith();
    mount(configMap);
    expect(run(pod)).toMatchObject({ status: 0, stdout: expect.stringContaining('renews certificates') });
  });

  it('reads arguments, and exits with the status of the program', () => {
    const { pod, configMap } = podWith({ container: { name: 'bad', args: ['run', '--nonsense'] } });
    mount(configMap);
    expect(run(pod)).toMatchObject({ status: 2, stderr: expect.stringContaining('--nonsense') });
  });

  it('does not run a program with another hash than the pod has', () => {
    const { pod, configMap } = podWith();
    const other = { ...configMap, binaryData: { 'operator.cjs.zst': 'KLUv/SAAAQAA' } };
    mount(other);
    const { status, stdout, stderr } = run(pod);
    expect([status, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr)).toMatchObject({ level: 'error', msg: expect.stringContaining('another program') });
  });

  it('reports an image with an older Node.js', () => {
    const { pod, configMap } = podWith();
    mount(configMap);
    const old = join(folder, 'old-node.cjs');
    writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { node: '22.18.0' } });");
    const { status, stdout, stderr } = run(pod, { NODE_OPTIONS: `--require=${old}` });
    expect([status, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr)).toMatchObject({ msg: expect.stringContaining('needs 22.19 or newer') });
  });

  it('does not run a truncated program', () => {
    const { pod, configMap } = podWith();
    const whole: string = configMap.binaryData['operator.cjs.zst'];
    mount({ ...configMap, binaryData: { 'operator.cjs.zst': whole.slice(0, 400) } });
    expect(run(pod).status).toBe(1);
  });

  it('has one ConfigMap in each namespace for any number of pods', () => {
    const { objects, problems } = build(
      (cluster) => {
        const request = {
          image: OperatorImage.bundled(),
          openShift: false,
          pod: {},
          container: { name: 'a', args: [] },
        };
        operatorPod(new Construct(cluster, 'a'), { ...request, namespace: 'linkerd' });
        operatorPod(new Construct(cluster, 'b'), { ...request, namespace: 'linkerd' });
        operatorPod(new Construct(cluster, 'c'), { ...request, namespace: 'other' });
      },
      { external: ['linkerd', 'other'].map((name) => ({ kind: 'Namespace', name })) },
    );
    expect(problems).toEqual([]);
    expect([...objects.keys()]).toEqual([
      'linkerd/configmap.linkerd-reconciler-program',
      'other/configmap.linkerd-reconciler-program',
    ]);
  });

  it('fits a ConfigMap', () => {
    const { data, binaryData } = podWith().configMap;
    const sizes = [
      ...Object.values<string>(data).map((text) => Buffer.byteLength(text)),
      Buffer.from(binaryData['operator.cjs.zst'], 'base64').length,
    ];
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(1024 * 1024);
  });
});

describe('an image of the user', () => {
  const { pod, configMap } = podWith({
    image: OperatorImage.fromRegistry('ghcr.io/acme/operator:1', { pullPolicy: 'Always', pullSecrets: ['ghcr'] }),
  });

  it('contains the program', () => {
    expect(configMap).toBeUndefined();
    expect(pod).not.toHaveProperty('volumes');
    expect(containerOf(pod)).toMatchObject({
      image: 'ghcr.io/acme/operator:1',
      imagePullPolicy: 'Always',
      args: ['rotate', '--help'],
    });
    for (const field of ['command', 'env', 'volumeMounts']) expect(containerOf(pod)).not.toHaveProperty(field);
  });

  it('is pulled with its pull secrets', () => expect(pod.imagePullSecrets).toEqual([{ name: 'ghcr' }]));

  it('defines its user itself', () => {
    expect(pod.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  });
});

describe('a pod of the operator', () => {
  it('runs as a user of the stock image', () => {
    expect(podWith().pod.securityContext).toMatchObject({ runAsUser: 1000, runAsGroup: 1000, runAsNonRoot: true });
  });

  it('has no user ID on OpenShift, which assigns one', () => {
    expect(podWith({ openShift: true }).pod.securityContext).not.toHaveProperty('runAsUser');
  });

  it('has no privileges', () => {
    expect(containerOf(podWith().pod).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    });
  });

  it('gets no environment variables of Services', () => {
    expect(podWith().pod.enableServiceLinks).toBe(false);
  });

  it('keeps its other fields', () => {
    const { pod } = podWith({
      pod: { serviceAccountName: 'x', volumes: [{ name: 'tls', emptyDir: {} }] },
      container: {
        name: 'run',
        args: ['run'],
        env: [{ name: 'LOG_LEVEL', value: 'debug' }],
        volumeMounts: [{ name: 'tls', mountPath: '/tls' }],
      },
    });
    expect(pod).toMatchObject({ serviceAccountName: 'x', volumes: [{ name: 'tls' }, { name: 'program' }] });
    expect(containerOf(pod)).toMatchObject({
      env: [{ name: 'LOG_LEVEL' }, { name: 'OPERATOR_SHA256' }, ...ALLOCATION],
      volumeMounts: [{ name: 'tls' }, { name: 'program', readOnly: true }],
    });
  });
});

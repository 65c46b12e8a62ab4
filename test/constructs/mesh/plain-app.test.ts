import { ApiObject, App, Chart, JsonPatch, Testing, YamlOutputType } from 'cdk8s';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { CertRotationCronJob } from '#lib/constructs/rotation/cert-rotation-cron-job';
import { JaegerToTempo } from '#lib/constructs/tracing/jaeger-to-tempo';
import { temporaryDirectory } from '../../gitops/synth/output/tree-on-disk';
import { plainObjects, printing } from '../../support/plain-app';

const directory = temporaryDirectory();

const INJECTOR = 'linkerd-proxy-injector';

describe('in an App of cdk8s,', () => {
  const app = () => new App({ outdir: directory.path, yamlOutputType: YamlOutputType.FILE_PER_CHART });

  const tempo = { namespace: 'tracing', service: 'tempo', serviceAccount: 'tempo' };

  test('synth writes changes of objects in charts', () => {
    const chart = new Chart(app(), 'mesh');
    const { controlPlane } = new LinkerdMesh(chart, 'linkerd', { viz: false });
    new JaegerToTempo(chart, 'tracing', { controlPlane, tempo });
    const injector = controlPlane.objects().find(({ name, kind }) => kind === 'Deployment' && name === INJECTOR);
    injector?.metadata.addLabel('team', 'platform');
    injector?.addJsonPatch(JsonPatch.replace('/spec/replicas', 7));
    expect(plainObjects(chart)).toContainEqual(
      expect.objectContaining({
        kind: 'Deployment',
        metadata: expect.objectContaining({
          name: INJECTOR,
          labels: expect.objectContaining({ team: 'platform', 'linkerd.io/control-plane-component': 'proxy-injector' }),
        }),
        spec: expect.objectContaining({ replicas: 7 }),
      }),
    );
    expect(JSON.stringify(plainObjects(chart))).toContain('tempo.tracing');
  });

  test('synth refuses values that a construct decides after objects were read', () => {
    const chart = new Chart(app(), 'mesh');
    const { controlPlane } = new LinkerdMesh(chart, 'linkerd', { viz: false });
    controlPlane.objects();
    new JaegerToTempo(chart, 'tracing', { controlPlane, tempo });
    expect(() => plainObjects(chart)).toThrow(/mesh\/tracing .*mesh\/linkerd\/control-plane\/.*\[values-set-late\]/s);
  });

  test('findAll finds the objects that constructs add, and after a synth all objects', () => {
    const root = app();
    new LinkerdMesh(new Chart(root, 'mesh'), 'linkerd', { viz: false });
    const kinds = () => root.node.findAll().flatMap((one) => (ApiObject.isApiObject(one) ? [one.kind] : []));
    expect(kinds()).not.toContain('Deployment');
    printing(() => root.synth());
    expect(kinds()).toContain('Deployment');
  });

  test('Testing.synth of a chart returns the objects of all charts in it', () => {
    const root = app();
    const [mesh, other] = ['mesh', 'other'].map((id) => new Chart(root, id)) as [Chart, Chart];
    const { controlPlane } = new LinkerdMesh(mesh, 'linkerd', { viz: false });
    new CertRotationCronJob(other, 'rotation', { controlPlane });
    printing(() => {
      expect(Testing.synth(other).map(({ kind }) => kind)).toContain('CronJob');
      expect(Testing.synth(mesh).map(({ metadata }) => metadata.name)).toContain(INJECTOR);
      expect(Testing.synth(mesh)).toEqual(Testing.synth(mesh));
    });
  });

  test('synth prints each warning once for any number of charts', () => {
    const root = app();
    for (const id of ['a', 'b', 'c']) new LinkerdMesh(new Chart(root, id), 'linkerd', { viz: false });
    const lines = printing(() => root.synth())
      .printed.trim()
      .split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toContainEqual(expect.stringMatching(/^warning: a\/linkerd\/pki: .* Fix: /));
  });
});

import { ApiObject, App, Chart, JsonPatch, YamlOutputType } from 'cdk8s';
import { LinkerdMesh } from '../../../lib/constructs/mesh';
import { JaegerToTempo } from '../../../lib/constructs/tracing/jaeger-to-tempo';
import { temporaryDirectory } from '../../gitops/synth/output/tree-on-disk';

const directory = temporaryDirectory();

/** What an App writes to stderr while `act` runs. */
function printedBy(act: () => void): string {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    act();
    return write.mock.calls.map(([text]) => text).join('');
  } finally {
    write.mockRestore();
  }
}

describe('in an App of cdk8s', () => {
  const app = () => new App({ outdir: directory.path, yamlOutputType: YamlOutputType.FILE_PER_CHART });

  test('what is done to an object stays when a later construct changes values', () => {
    const chart = new Chart(app(), 'mesh');
    const { controlPlane } = new LinkerdMesh(chart, 'linkerd', { viz: false });
    const [injector] = controlPlane.node
      .findAll()
      .filter((construct): construct is ApiObject => ApiObject.isApiObject(construct))
      .filter(({ kind, name }) => kind === 'Deployment' && name === 'linkerd-proxy-injector');
    injector?.metadata.addLabel('team', 'platform');
    injector?.addJsonPatch(JsonPatch.replace('/spec/replicas', 7));
    new JaegerToTempo(chart, 'tracing', {
      controlPlane,
      tempo: { namespace: 'tracing', service: 'tempo', serviceAccount: 'tempo' },
    });
    expect(chart.toJson()).toContainEqual(
      expect.objectContaining({
        kind: 'Deployment',
        metadata: expect.objectContaining({
          name: 'linkerd-proxy-injector',
          labels: expect.objectContaining({ team: 'platform', 'linkerd.io/control-plane-component': 'proxy-injector' }),
        }),
        spec: expect.objectContaining({ replicas: 7 }),
      }),
    );
    expect(JSON.stringify(chart.toJson())).toContain('tempo.tracing');
  });

  test('warnings are printed, once each, however many charts there are', () => {
    const root = app();
    for (const id of ['a', 'b', 'c']) new LinkerdMesh(new Chart(root, id), 'linkerd', { viz: false });
    const lines = printedBy(() => root.synth())
      .trim()
      .split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toContainEqual(expect.stringMatching(/^warning: a\/linkerd\/pki: .* Fix: /));
  });
});

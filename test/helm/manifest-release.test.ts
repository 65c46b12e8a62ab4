import { App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { addChart, checkDelivery } from '../../lib/helm/chart-release';
import { HelmRelease } from '../../lib/helm/helm-release';
import type { ChartRenderer } from '../../lib/helm/manifest-release';
import { ManifestRelease } from '../../lib/helm/manifest-release';
import { addRule } from '../../lib/validation/problem';

const chart = {
  name: 'web',
  version: '1.0.0',
  repository: 'https://charts.example.com',
  kinds: [],
  foreignNamespaces: [],
};

/** A chart with a ConfigMap for each name, which refuses the name "bad". */
const renderer: ChartRenderer = {
  defaults: { names: ['web'], text: 'default' },
  check: ({ names }) =>
    JSON.stringify(names).includes('bad') ? [{ what: 'names has bad', why: 'It is bad', fix: 'choose another' }] : [],
  render: ({ names, text }) =>
    (names as readonly string[]).map((name) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'shop' },
      data: { text },
    })),
};

function release(fromProps = {}, values = {}) {
  const root = new Chart(new App(), 'chart');
  const component = new Construct(root, 'component');
  const manifests = new ManifestRelease(component, 'web', { chart, namespace: 'shop', renderer, fromProps, values });
  const problems = () => root.node.findAll().flatMap(({ node }) => node.validate());
  return { root, component, manifests, problems };
}

const texts = (root: Chart) => Testing.synth(root).map(({ metadata, data }) => `${metadata.name}: ${data.text}`);

describe('ManifestRelease', () => {
  it("has the objects of the chart's own values, the user's and what props decide", () => {
    expect(texts(release().root)).toEqual(['web: default']);
    expect(texts(release({ text: 'decided' }, { names: ['a', 'b'] }).root)).toEqual(['a: decided', 'b: decided']);
  });

  it('renders anew when another construct decides values', () => {
    const { root, component, manifests } = release();
    manifests.addValues({ names: ['later'], text: 'added' }, component);
    expect(texts(root)).toEqual(['later: added']);
    expect(manifests.values).toEqual({ names: ['later'], text: 'added' });
  });

  it('reports what the renderer refuses, once, and has no objects', () => {
    const { problems, manifests } = release({}, { names: ['bad'] });
    expect(problems()).toEqual(['names has bad. It is bad. Fix: choose another.']);
    expect(manifests.node.children).toEqual([]);
  });

  it('leaves it to the component around to explain, if that reports anything', () => {
    const { problems, component } = release({}, { names: ['bad'] });
    addRule(component, () => [{ what: 'The names are wrong', why: 'So', fix: 'do this' }]);
    expect(problems()).toEqual(['The names are wrong. So. Fix: do this.']);
  });

  it('reports values that contradict props, whatever else is reported', () => {
    const { problems, component } = release({ text: 'decided' }, { text: 'own' });
    addRule(component, () => [{ what: 'Something else', why: 'So', fix: 'do this' }]);
    expect(problems()).toEqual([
      expect.stringContaining('Something else'),
      expect.stringContaining('values.text is "own"'),
    ]);
  });
});

describe('addChart', () => {
  const add = (delivery?: 'manifests' | 'helm', render?: ChartRenderer) =>
    addChart(new Chart(new App(), 'chart'), 'web', {
      chart,
      namespace: 'shop',
      fromProps: {},
      delivery,
      renderer: render,
    });

  it('renders what can be rendered, unless told otherwise', () => {
    expect(add(undefined, renderer)).toBeInstanceOf(ManifestRelease);
    expect(add('manifests', renderer)).toBeInstanceOf(ManifestRelease);
    expect(add('helm', renderer)).toBeInstanceOf(HelmRelease);
    expect(add()).toBeInstanceOf(HelmRelease);
  });

  it('cannot render what nothing renders', () => {
    expect(checkDelivery('manifests', 'stable-2.14.10', false)).toEqual([
      expect.objectContaining({ what: expect.stringContaining('stable-2.14.10 can only be inflated by Helm') }),
    ]);
    expect(checkDelivery('helm', 'stable-2.14.10', false)).toEqual([]);
    expect(checkDelivery(undefined, 'stable-2.14.10', false)).toEqual([]);
    expect(checkDelivery('manifests', 'edge-26.8.3', true)).toEqual([]);
  });
});

import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { addChart } from '#lib/gitops/charts/chart-release';
import { HelmRelease } from '#lib/gitops/charts/helm-release';
import { ManifestRelease } from '#lib/gitops/charts/manifest-release';
import { addRule } from '#lib/gitops/tree/add-rule';
import { Cluster } from '#lib/gitops/tree/cluster';
import { prepareTree } from '#lib/gitops/tree/prepare';
import { readTree } from '#lib/gitops/tree/read-tree';
import type { NativeRenderer } from '#linkerd/charts/chart';
import { ruleFactsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';

let charts = 0;

/** A chart with a unique version, so that no earlier render is reused. */
function chartOf<N extends NativeRenderer | undefined>(native: N) {
  charts += 1;
  return {
    pinned: {
      name: 'web',
      version: `1.0.${charts}`,
      repository: 'https://charts.example.com',
      kinds: ['/ConfigMap' as const],
      foreignNamespaces: [],
    },
    namespace: 'web',
    defaults: { names: ['web'], text: 'default' },
    provides: () => [],
    requires: () => [],
    native,
  };
}

const context = { namespace: 'shop' };

/** Renders a ConfigMap for each name. Refuses the name "bad", and `half` without `otherHalf`. */
const renderer: NativeRenderer = {
  intended: { differences: [], refusals: [], fixes: [] },
  check: ({ names, half, otherHalf }) =>
    JSON.stringify(names).includes('bad') || half !== otherHalf
      ? [{ severity: 'error', code: 'bad-name', what: 'names has bad', why: 'It is bad', fix: 'choose another' }]
      : [],
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
  const manifests = new ManifestRelease(component, 'web', { chart: chartOf(renderer), context, fromProps, values });
  const problems = () => ruleFactsIn(root);
  return { root, component, manifests, problems };
}

const texts = (root: Chart) => plainObjects(root).map(({ metadata, data }) => `${metadata.name}: ${data.text}`);

describe('ManifestRelease', () => {
  it('computes values of a construct from the values of all others, in any order of creation', () => {
    const { root, component, manifests } = release();
    const other = new Construct(root, 'other');
    manifests.addValues(({ text }) => (text === undefined ? { text: 'nobody decided' } : {}), other);
    manifests.addValues(({ text }) => ({ names: [`${text}`] }), other);
    manifests.addValues({ text: 'decided' }, component);
    expect(texts(root)).toEqual(['decided: decided']);
  });

  describe('has a patch that', () => {
    const patch = JsonPatch.add('/data/patched', 'yes');

    it('is reported if the chart does not have its object', () => {
      const { manifests, problems } = release();
      manifests.patch('ConfigMap', 'wev', patch);
      manifests.patch('Deployment', 'web', patch);
      expect(problems()).toMatchObject([
        { finding: 'patch-unmatched', object: 'ConfigMap wev' },
        { finding: 'patch-unmatched', object: 'Deployment web' },
      ]);
    });

    it('is not reported in addition to wrong values', () => {
      const { manifests, problems } = release({}, { names: ['bad'] });
      manifests.patch('ConfigMap', 'web', patch);
      expect(problems()).toMatchObject([{ finding: 'bad-name' }]);
    });

    it('is refused if Argo CD renders the chart', () => {
      const root = new Chart(new App(), 'chart');
      const release = addChart(root, 'web', { chart: chartOf(renderer), ...context, fromProps: {}, delivery: 'helm' });
      release.patch('ConfigMap', 'web', patch);
      expect(ruleFactsIn(root)).toMatchObject([{ finding: 'patch-not-rendered' }]);
    });
  });

  describe('has a method objects() that', () => {
    it('renders the known values once', () => {
      const { root, manifests } = release({}, { names: ['web', 'other'] });
      const objects = manifests.objects();
      objects[0]?.metadata.addLabel('team', 'shop');
      expect(manifests.objects()).toBe(objects);
      expect(plainObjects(root).map(({ metadata: { name, labels } }) => [name, labels])).toEqual([
        ['web', { team: 'shop' }],
        ['other', undefined],
      ]);
    });

    it('causes a problem for values that are added later, with both places', () => {
      const { component, manifests, problems } = release();
      manifests.objects();
      manifests.addValues({ text: 'later' }, component);
      expect(problems()).toMatchObject([
        { finding: 'values-set-late', from: 'chart/component', release: 'chart/component/web' },
      ]);
    });

    it('may be called before a construct adds equal values', () => {
      const { component, manifests, problems } = release({ text: 'decided' });
      manifests.objects();
      manifests.addValues({ text: 'decided' }, component);
      expect(problems()).toEqual([]);
    });
  });

  it('reports values that contradict props together with other problems', () => {
    const { problems, component } = release({ text: 'decided' }, { text: 'own' });
    addRule(component, () => [
      { severity: 'error', code: 'other-mistake', what: 'Something else', why: 'So', fix: 'do this' },
    ]);
    expect(problems()).toMatchObject([
      { finding: 'other-mistake' },
      { finding: 'value-contradicts-prop/own', path: 'text', value: '"own"' },
    ]);
  });
});

describe('a ManifestRelease in a cluster', () => {
  const looked = (manifests: ManifestRelease) => void manifests.objects();
  const patched = (manifests: ManifestRelease) => manifests.patch('ConfigMap', 'a', JsonPatch.add('/data/b', '1'));
  const withChild = (manifests: ManifestRelease) => void new Construct(manifests, 'child');

  function read(look: (manifests: ManifestRelease) => void, render = renderer.render, labels = {}) {
    const cluster = new Cluster(new App(), 'home');
    const chart = new Chart(cluster, 'chart', { labels });
    const props = { chart: chartOf({ ...renderer, render }), context, fromProps: {}, values: { names: ['a', 'b'] } };
    const manifests = new ManifestRelease(chart, 'web', props);
    look(manifests);
    prepareTree(cluster, 'Platform');
    const tree = readTree(cluster);
    return { tree, isAsked: manifests.node.children.some((child) => ApiObject.isApiObject(child)) };
  }

  it('creates no constructs for its objects until code reads them', () => {
    const [plain, asked] = [read(() => {}), read(looked)];
    expect(plain.isAsked).toBe(false);
    expect(asked.isAsked).toBe(true);
    // Not compared: `rendered`, as each build has a chart version of its own, and `rules`, which are functions.
    const { rendered, rules } = plain.tree;
    expect(plain.tree).toEqual({ ...asked.tree, rendered, rules });
    expect(plain.tree.objects.map(({ path }) => path)).toEqual([
      'home/chart/web/:configmap:shop:a',
      'home/chart/web/:configmap:shop:b',
    ]);
  });

  it.each([
    ['patched', patched, {}],
    ['siblings of other children', withChild, {}],
    ['in a chart with labels', () => {}, { team: 'shop' }],
  ])('creates constructs for its objects if they are %s', (_, look, labels) => {
    const { tree, isAsked } = read(look, renderer.render, labels);
    expect(isAsked).toBe(true);
    expect(tree.findings).toEqual([]);
    expect(tree.objects.map(({ object }) => object.metadata)).toMatchObject([
      { name: 'a', ...('team' in labels && { labels }) },
      { name: 'b' },
    ]);
  });

  it('throws an error for two objects with the same id', () => {
    const twice: NativeRenderer['render'] = (values, where) => [
      ...renderer.render(values, where),
      ...renderer.render(values, where),
    ];
    expect(() => read(() => {}, twice)).toThrow(/already a Construct with name ':configmap:shop:a'/);
  });
});

describe('addChart', () => {
  const add = (delivery?: 'manifests' | 'helm', render?: NativeRenderer) =>
    addChart(new Chart(new App(), 'chart'), 'web', {
      chart: chartOf(render),
      namespace: 'shop',
      fromProps: {},
      delivery,
    });

  it("renders a chart with a renderer, unless delivery is 'helm'", () => {
    expect(add(undefined, renderer)).toBeInstanceOf(ManifestRelease);
    expect(add('manifests', renderer)).toBeInstanceOf(ManifestRelease);
    expect(add('helm', renderer)).toBeInstanceOf(HelmRelease);
    expect(add()).toBeInstanceOf(HelmRelease);
  });
});

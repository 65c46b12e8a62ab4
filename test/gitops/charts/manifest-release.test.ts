import { ApiObject, App, Chart, JsonPatch, Lazy, Testing, YamlOutputType } from 'cdk8s';
import { Construct } from 'constructs';
import { addChart } from '../../../lib/gitops/charts/chart-release';
import { HelmRelease } from '../../../lib/gitops/charts/helm-release';
import { ManifestRelease } from '../../../lib/gitops/charts/manifest-release';
import { addRule } from '../../../lib/gitops/tree/add-rule';
import { Cluster } from '../../../lib/gitops/tree/cluster';
import { readTree } from '../../../lib/gitops/tree/read-tree';
import type { NativeRenderer } from '../../../lib/linkerd/charts/chart';
import { ruleErrorsIn, validate } from '../../support/findings';
import { readFiles, temporaryDirectory } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();

let charts = 0;

/** A chart like no other, so that what others of its values are rendered to is not known. */
function chartOf<N extends NativeRenderer | undefined>(native: N) {
  charts += 1;
  return {
    pinned: {
      name: 'web',
      version: `1.0.${charts}`,
      repository: 'https://charts.example.com',
      kinds: [],
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

/** A chart with a ConfigMap for each name, which refuses the name "bad", and one half without the other. */
const renderer: NativeRenderer = {
  intended: { differences: [], refusals: [], fixes: [] },
  check: ({ names, half, otherHalf }) =>
    JSON.stringify(names).includes('bad') || half !== otherHalf
      ? [
          {
            code: 'bad-name',
            violates: { rule: 'value', value: 'names' },
            what: 'names has bad',
            why: 'It is bad',
            fix: 'choose another',
          },
        ]
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
  const problems = () => ruleErrorsIn(root);
  return { root, component, manifests, problems };
}

const texts = (root: Chart) => Testing.synth(root).map(({ metadata, data }) => `${metadata.name}: ${data.text}`);

describe('ManifestRelease', () => {
  it("has the objects of the chart's own values, the user's and what props decide", () => {
    expect(texts(release().root)).toEqual(['web: default']);
    expect(texts(release({ text: 'decided' }, { names: ['a', 'b'] }).root)).toEqual(['a: decided', 'b: decided']);
  });

  it('is rendered when all is known that other constructs decide', () => {
    const { root, component, manifests } = release();
    manifests.addValues({ names: ['later'], text: 'added' }, component);
    expect(texts(root)).toEqual(['later: added']);
    expect(manifests.values).toEqual({ names: ['later'], text: 'added' });
  });

  it('takes what a construct decides from what all others do, whichever comes first', () => {
    const { root, component, manifests } = release();
    const other = new Construct(root, 'other');
    manifests.addValues(({ text }) => (text === undefined ? { text: 'nobody decided' } : {}), other);
    manifests.addValues(({ text }) => ({ names: [`${text}`] }), other);
    manifests.addValues({ text: 'decided' }, component);
    expect(texts(root)).toEqual(['decided: decided']);
  });

  it.each([
    ['App.synth, a file per chart', (app: App) => app.synth()],
    ['App.synthYaml', (app: App) => void app.synthYaml()],
    ['Testing.synth', (app: App) => void app.charts.map((root) => Testing.synth(root))],
    ['Chart.toJson', (app: App) => void app.charts.map((root) => root.toJson())],
  ])('is rendered once, by %s', (_, synth) => {
    const app = new App({ outdir: directory.path });
    const root = new Chart(app, 'chart');
    const render = jest.fn(renderer.render);
    const component = new Construct(root, 'component');
    const props = { chart: chartOf({ ...renderer, render }), context, fromProps: {} };
    const manifests = new ManifestRelease(component, 'web', props);
    for (const text of ['once', 'once']) manifests.addValues({ text }, component);
    expect(render).not.toHaveBeenCalled();
    synth(app);
    expect(render).toHaveBeenCalledTimes(1);
    expect(app.synthYaml()).toContain('text: once');
    expect(render).toHaveBeenCalledTimes(1);
  });

  it.each([YamlOutputType.FILE_PER_RESOURCE, YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE])(
    'is written by an App with output %d',
    (yamlOutputType) => {
      const app = new App({ outdir: `${directory.path}/${yamlOutputType}`, yamlOutputType });
      const root = new Chart(app, 'chart');
      new ManifestRelease(root, 'web', { chart: chartOf(renderer), context, fromProps: {} });
      app.synth();
      expect(Object.keys(readFiles(app.outdir)).join()).toContain('ConfigMap.web.k8s.yaml');
    },
  );

  describe('a patch', () => {
    const patch = JsonPatch.add('/data/patched', 'yes');

    it('changes the object whenever it is rendered', () => {
      const { root, component, manifests, problems } = release({}, { names: ['web', 'other'] });
      manifests.patch('ConfigMap', 'later', patch);
      manifests.node.findAll();
      manifests.patch('ConfigMap', 'web', patch);
      manifests.addValues({ text: 'added' }, component);
      expect(problems()).toEqual([expect.stringContaining('patch() changes ConfigMap later')]);
      manifests.patch('ConfigMap', 'other', patch, JsonPatch.replace('/data/patched', 'twice'));
      expect(manifests.node.children.map((child) => (child as ApiObject).toJson().data)).toEqual([
        { text: 'added', patched: 'yes' },
        { text: 'added', patched: 'twice' },
      ]);
      expect(root.node.findAll()).toHaveLength(5);
    });

    it('is reported where the chart has no such object', () => {
      const { manifests, problems } = release();
      manifests.patch('ConfigMap', 'wev', patch);
      manifests.patch('Deployment', 'web', patch);
      expect(problems()).toEqual([
        expect.stringMatching(/^patch\(\) changes ConfigMap wev, .* \(ConfigMap web\)/),
        expect.stringMatching(/^patch\(\) changes Deployment web, .* \(one of the kinds ConfigMap\)/),
      ]);
    });

    it('is not reported on top of what is wrong with the values', () => {
      const { manifests, problems } = release({}, { names: ['bad'] });
      manifests.patch('ConfigMap', 'web', patch);
      expect(problems()).toEqual(['names has bad. It is bad. Fix: choose another.']);
    });

    it('of an object that is there no more is reported once', () => {
      const { manifests, component, problems } = release();
      manifests.patch('ConfigMap', 'web', patch);
      manifests.node.findAll();
      manifests.addValues({ names: ['later'] }, component);
      expect(problems()).toEqual([expect.stringContaining('patch() changes ConfigMap web')]);
    });

    it('needs objects that are rendered here', () => {
      const root = new Chart(new App(), 'chart');
      const release = addChart(root, 'web', { chart: chartOf(renderer), ...context, fromProps: {}, delivery: 'helm' });
      release.patch('ConfigMap', 'web', patch);
      expect(validate(release)).toEqual([expect.stringContaining('but Helm renders the chart in the cluster')]);
    });
  });

  describe('rendering anew', () => {
    const objectIn = (construct: Construct, name: string) =>
      construct.node
        .findAll()
        .filter((child): child is ApiObject => ApiObject.isApiObject(child) && child.name === name)[0] as ApiObject;

    it('keeps what was done to an object: metadata, patches, dependencies, validations, children', () => {
      const { root, component, manifests } = release({}, { names: ['web', 'other'] });
      const web = objectIn(root, 'web');
      web.metadata.addLabel('team', 'shop');
      web.metadata.addAnnotation('note', Lazy.any({ produce: () => 'late' }) as unknown as string);
      web.metadata.addFinalizers('example.com/keep');
      web.metadata.add('generateName', 'web-');
      web.addJsonPatch(JsonPatch.add('/data/patched', 'yes'));
      web.addDependency(objectIn(root, 'other'));
      web.node.addValidation({ validate: () => ['theirs'] });
      new Construct(web, 'child');
      for (const text of ['once', 'twice']) manifests.addValues({ [text]: text, text: 'twice' }, component);
      web.addJsonPatch(JsonPatch.add('/data/afterwards', 'too'));
      expect(objectIn(root, 'web')).toBe(web);
      expect(web.node.validate()).toContain('theirs');
      web.node.addValidation({ validate: () => [] });
      expect(web.toJson()).toEqual({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'web',
          namespace: 'shop',
          generateName: 'web-',
          labels: { team: 'shop' },
          annotations: { note: 'late' },
          finalizers: ['example.com/keep'],
        },
        data: { text: 'twice', patched: 'yes', afterwards: 'too' },
      });
      expect(web.node.dependencies).toHaveLength(1);
      expect(web.node.tryFindChild('child')).toBeDefined();
    });

    it('follows metadata of the chart, but for what was changed', () => {
      const labelled: NativeRenderer = {
        ...renderer,
        render: ({ text }) =>
          ['a', 'b'].map((name) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: {
              name,
              namespace: 'shop',
              labels: { both: `${text}`, [`only-${text}`]: 'x' },
              annotations: { note: `${text}` },
            },
          })),
      };
      const root = new Chart(new App(), 'chart');
      const props = { chart: chartOf(labelled), context, fromProps: {} };
      const manifests = new ManifestRelease(root, 'web', props);
      objectIn(root, 'b').metadata.addLabel('both', 'mine');
      objectIn(root, 'b').metadata.addAnnotation('note', 'mine');
      manifests.addValues({ text: 'later' }, root);
      expect(Testing.synth(root).map(({ metadata }) => metadata)).toEqual([
        { name: 'a', namespace: 'shop', labels: { both: 'later', 'only-later': 'x' }, annotations: { note: 'later' } },
        { name: 'b', namespace: 'shop', labels: { both: 'mine', 'only-later': 'x' }, annotations: { note: 'mine' } },
      ]);
    });

    it('leaves out what was removed', () => {
      const { root, component, manifests } = release({}, { names: ['web', 'other'] });
      expect(manifests.node.tryRemoveChild(':configmap:shop:web')).toBe(true);
      manifests.addValues({ text: 'added' }, component);
      expect(texts(root)).toEqual(['other: added']);
      expect(manifests.node.tryFindChild(':configmap:shop:web')).toBeUndefined();
    });

    it('reports an object that goes away with what was done to it', () => {
      const { root, component, manifests, problems } = release();
      const web = objectIn(root, 'web');
      manifests.addValues({ names: ['later'] }, component);
      expect(problems()).toEqual([]);
      web.metadata.addLabel('team', 'shop');
      expect(problems()).toEqual([expect.stringContaining('ConfigMap shop/web was changed in code')]);
    });

    it('gives one that comes again what was done to it before', () => {
      const { root, component, manifests, problems } = release();
      const web = objectIn(root, 'web');
      web.metadata.addLabel('team', 'shop');
      // One value without the other is refused, so that nothing is rendered in between.
      manifests.addValues({ half: true }, component);
      expect(manifests.node.children).toEqual([]);
      manifests.addValues({ otherHalf: true }, component);
      web.addJsonPatch(JsonPatch.add('/data/patched', 'by the reference of before'));
      expect(Testing.synth(root)).toMatchObject([
        { metadata: { labels: { team: 'shop' } }, data: { text: 'default', patched: 'by the reference of before' } },
      ]);
      expect(problems().filter((problem) => problem.includes('rendered no more'))).toEqual([]);
    });

    it('names the object whose patch does not fit any more', () => {
      const { root, component, manifests } = release();
      objectIn(root, 'web').addJsonPatch(JsonPatch.add('/data/text/nested/deeper', 1));
      manifests.addValues({ text: 'other' }, component);
      expect(() => objectIn(root, 'web').toJson()).toThrow("'chart/component/web/:configmap:shop:web'");
    });
  });

  it('reports what the renderer refuses, once, and has no objects', () => {
    const { problems, manifests } = release({}, { names: ['bad'] });
    expect(problems()).toEqual(['names has bad. It is bad. Fix: choose another.']);
    expect(manifests.node.children).toEqual([]);
  });

  it('reports what contradicts each other since somebody looked, though the values are the same again', () => {
    const { problems, manifests, component } = release({ text: 'decided' });
    manifests.node.findAll();
    manifests.addValues({ text: 'other' }, component);
    manifests.addValues({ text: 'decided' }, component);
    expect(problems()).toEqual([
      expect.stringContaining('sets values.text to "decided", but'),
      expect.stringContaining('sets values.text to "other", but'),
    ]);
  });

  it('leaves it to the component around to explain, if that reports anything', () => {
    const { problems, component } = release({}, { names: ['bad'] });
    const violates = { rule: 'value', value: 'names' };
    addRule(component, () => [
      { code: 'wrong-names', violates, what: 'The names are wrong', why: 'So', fix: 'do this' },
    ]);
    expect(problems()).toEqual(['The names are wrong. So. Fix: do this.']);
  });

  it('reports values that contradict props, whatever else is reported', () => {
    const { problems, component } = release({ text: 'decided' }, { text: 'own' });
    addRule(component, () => [{ code: 'other-mistake', what: 'Something else', why: 'So', fix: 'do this' }]);
    expect(problems()).toEqual([
      expect.stringContaining('Something else'),
      expect.stringContaining('values.text is "own"'),
    ]);
  });
});

describe('in a cluster', () => {
  const looked = (manifests: ManifestRelease) => void manifests.node.findAll();
  const patched = (manifests: ManifestRelease) => manifests.patch('ConfigMap', 'a', JsonPatch.add('/data/b', '1'));
  const withChild = (manifests: ManifestRelease) => void new Construct(manifests, 'child');

  function read(look: (manifests: ManifestRelease) => void, render = renderer.render, labels = {}) {
    const cluster = new Cluster(new App(), 'home');
    const chart = new Chart(cluster, 'chart', { labels });
    const props = { chart: chartOf({ ...renderer, render }), context, fromProps: {}, values: { names: ['a', 'b'] } };
    const manifests = new ManifestRelease(chart, 'web', props);
    look(manifests);
    const tree = readTree(cluster);
    const { node } = manifests;
    const children = Reflect.get(Object.getPrototypeOf(node), 'children', node) as readonly unknown[];
    return { tree, isAsked: children.some((child) => ApiObject.isApiObject(child)) };
  }

  it('objects that nobody asks for never become constructs, and are read as if they were', () => {
    const [plain, asked] = [read(() => {}), read(looked)];
    expect(plain.isAsked).toBe(false);
    expect(asked.isAsked).toBe(true);
    // Each chart of these tests is of another version.
    expect(plain.tree).toEqual({ ...asked.tree, rendered: plain.tree.rendered });
    expect(plain.tree.objects.map(({ path }) => path)).toEqual([
      'home/chart/web/:configmap:shop:a',
      'home/chart/web/:configmap:shop:b',
    ]);
  });

  it.each([
    ['patched', patched, {}],
    ['beside other children', withChild, {}],
    ['in a chart with labels', () => {}, { team: 'shop' }],
  ])('they do where they are %s', (_, look, labels) => {
    const { tree, isAsked } = read(look, renderer.render, labels);
    expect(isAsked).toBe(true);
    expect(tree.findings).toEqual([]);
    expect(tree.objects.map(({ object }) => object.metadata)).toMatchObject([
      { name: 'a', ...('team' in labels && { labels }) },
      { name: 'b' },
    ]);
  });

  it('two objects of one id are an error', () => {
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

  it('renders what can be rendered, unless told otherwise', () => {
    expect(add(undefined, renderer)).toBeInstanceOf(ManifestRelease);
    expect(add('manifests', renderer)).toBeInstanceOf(ManifestRelease);
    expect(add('helm', renderer)).toBeInstanceOf(HelmRelease);
    expect(add()).toBeInstanceOf(HelmRelease);
  });
});

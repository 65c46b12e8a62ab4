import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { LinkerdMesh, Platform, type PlatformProps, SynthError, Warnings } from '#lib';
import { synthesize } from '#lib/testing';

const repoUrl = 'https://git.example.com/platform.git';
const configMap = (scope: Construct, name: string, data: Record<string, string> = {}, namespace = 'default') =>
  new ApiObject(scope, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });

/** A platform with two clusters; the second has fewer objects. */
function platform(props: Partial<PlatformProps> = {}): Platform {
  const made = new Platform({ repoUrl, ...props });
  made.addCluster('home', {}, (home) => {
    configMap(home, 'settings', { color: 'red', size: 'm' });
    configMap(home, 'other', { color: 'blue' });
  });
  made.addCluster('edge', { destination: { name: 'edge' } }, (edge) => {
    configMap(edge, 'settings', { color: '{{ green }}' });
  });
  return made;
}

const messageOf = (assertion: () => void): string => {
  try {
    assertion();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the assertion holds');
};

describe('the output of a Platform', () => {
  test('has objects by cluster, and objects of Argo CD', () => {
    const { clusters, argocd } = synthesize(platform());
    expect(clusters).toEqual(['home', 'edge']);
    argocd.hasResource('ApplicationSet', { metadata: { name: 'linkerd-mesh-edge' } });
    argocd.resourceCountIs('AppProject', 1);
    const edge = synthesize(platform()).cluster('edge');
    expect(edge.objects.map(({ kind }) => kind).sort()).toEqual(['ConfigMap']);
    edge.hasResource('ConfigMap', { data: { color: '{{ green }}' } });
    expect(() => synthesize(platform()).cluster('hom')).toThrow('There is no cluster hom: there are home, edge');
  });

  test('is not written to files', () => {
    const outdir = join(mkdtempSync(join(tmpdir(), 'none-')), 'dist');
    const made = platform({ outdir });
    synthesize(made).hasNoFindings();
    expect(existsSync(outdir)).toBe(false);
    made.synth();
    const before = readdirSync(outdir, { recursive: true });
    synthesize(made);
    expect(readdirSync(outdir, { recursive: true })).toEqual(before);
  });
});

describe('an assertion on objects', () => {
  const home = synthesize(platform()).cluster('home');

  test('shows the nearest object if it fails', () => {
    expect(messageOf(() => home.hasResource('ConfigMap', { data: { color: 'red', size: 'l' } }))).toBe(
      [
        'home has no ConfigMap like {"data":{"color":"red","size":"l"}}',
        'The nearest of 2 is ConfigMap default/settings, in which',
        '- /data/size is "m", not "l"',
      ].join('\n'),
    );
  });

  test('suggests a similar kind for a missing one', () => {
    expect(messageOf(() => home.hasResource('ConfigMaps'))).toBe('home has no ConfigMaps: did you mean ConfigMap?');
  });

  test('shows the names of objects if their number is wrong', () => {
    home.resourceCountIs('ConfigMap', 2);
    home.resourceCountIs('Deployment', 0);
    expect(messageOf(() => home.resourceCountIs('ConfigMap', 1)).split('\n')).toEqual([
      'home has 2 ConfigMap, not 1',
      expect.stringContaining('- ConfigMap default/'),
      expect.stringContaining('- ConfigMap default/'),
    ]);
  });

  test('shows at most some of many differences', () => {
    const data = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`key${index}`, 'x']));
    expect(messageOf(() => home.hasResource('ConfigMap', { data })).split('\n')).toHaveLength(13);
  });

  test('can use all objects of a kind that match', () => {
    expect(home.findResources('ConfigMap', { data: { color: 'blue' } })).toEqual([
      expect.objectContaining({ metadata: expect.objectContaining({ name: 'other' }) }),
    ]);
    expect(home.findResources('Deployment')).toEqual([]);
  });
});

describe('an assertion on findings', () => {
  const withMesh = (acknowledged = false) => {
    const made = platform();
    made.addCluster('mesh', {}, (cluster) => {
      const mesh = new LinkerdMesh(cluster, 'linkerd', { crds: { gatewayApi: 'existing' } });
      if (acknowledged) Warnings.of(mesh).acknowledge('certificate-alerts-missing', 'a sandbox');
    });
    return synthesize(made);
  };

  test('ignores acknowledged findings, of a cluster or of all', () => {
    withMesh().hasFinding('certificate-alerts-missing');
    withMesh().cluster('mesh').hasFinding('certificate-alerts-missing');
    withMesh().cluster('home').hasNoFindings();
    withMesh(true).hasNoFindings('certificate-alerts-missing');
  });

  test('shows the nearest finding if it fails', () => {
    const made = platform();
    made.addCluster('odd', {}, (cluster) => void configMap(cluster, 'settings', {}, 'Shop'));
    const odd = synthesize(made).cluster('odd');
    const [{ problem: { code, parameters = {} } = { code: '' } } = {}] = odd.findings();
    odd.hasFinding(code, parameters);
    expect(messageOf(() => odd.hasFinding(code, { more: 1 }))).toMatch(
      new RegExp(
        `^odd has no finding ${code} with {"more":1}\\nThe nearest of \\d+ is ${code} of odd/settings, in which`,
      ),
    );
    expect(messageOf(() => odd.hasNoFindings())).toMatch(/^odd has \d findings?:\n- odd\/settings: .* \[[\w-]+\]/);
    expect(messageOf(() => synthesize(platform()).hasFinding('certificate-alerts-missing'))).toBe(
      'the platform has no finding certificate-alerts-missing',
    );
  });

  test('accepts errors, whose cluster has no objects', () => {
    const made = platform();
    made.addCluster('broken', {}, () => {
      throw new Error('not today');
    });
    const output = synthesize(made);
    output.hasFinding('build-failed');
    expect(() => output.cluster('broken').resourceCountIs('ConfigMap', 0)).toThrow(SynthError);
    output.cluster('home').resourceCountIs('ConfigMap', 2);
  });
});

describe('the output of an App of cdk8s', () => {
  class Strict extends Construct {
    constructor(scope: Construct, id: string) {
      super(scope, id);
      this.node.addValidation({ validate: () => ['it is too strict'] });
    }
  }

  function app(monitoring?: { readonly namespace: string }) {
    const made = new App({ outdir: join(tmpdir(), 'never-written') });
    const linkerd = new Chart(made, 'linkerd', { disableResourceNameHashes: true });
    new LinkerdMesh(linkerd, 'mesh', { crds: { gatewayApi: 'existing' }, ...(monitoring && { monitoring }) });
    const shop = new Chart(made, 'shop', { disableResourceNameHashes: true });
    configMap(shop, 'settings');
    return { made, linkerd, shop };
  }

  test('includes the messages of validations', () => {
    const { made, shop } = app();
    new Strict(shop, 'strict');
    synthesize(made).hasFinding('construct-invalid');
    expect(synthesize(shop).findings('construct-invalid')).toHaveLength(1);
    expect(() => synthesize(shop).objects).toThrow(/it is too strict/);
  });

  test('has each error of a wrong construct once', () => {
    const { made } = app({ namespace: 'Not A Name' });
    const errors = synthesize(made)
      .findings()
      .filter(({ severity }) => severity === 'error')
      .map(({ path, problem }) => `${path} ${problem.what}`);
    expect(errors.length).toBeGreaterThan(0);
    expect(new Set(errors).size).toBe(errors.length);
    expect(errors.filter((text) => text.includes('construct-invalid'))).toEqual([]);
  });

  test('is not checked without constructs of this library', () => {
    const made = new App();
    configMap(new Chart(made, 'shop'), 'settings', {}, 'Not A Name');
    synthesize(made).hasNoFindings();
    synthesize(made).resourceCountIs('ConfigMap', 1);
  });
});

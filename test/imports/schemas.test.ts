import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import type { Values } from '#base/values';
import index from '#imports/index.json';
import { checkObject, checkValues } from '#kubernetes/schemas/schema';
import { schemaAddress } from '#kubernetes/schemas/schema-store';
import { importedValues } from '#linkerd/releases/chart-defaults';
import { customSamples } from '../packages/kubernetes/api-rules/samples';
import { OTHER_SAMPLES } from './samples';

const IMPORTS = join(__dirname, '..', '..', 'imports');
const SAMPLES = [...customSamples(), ...OTHER_SAMPLES];
const FILES = readdirSync(IMPORTS, { recursive: true }).map(String).sort();

function read(file: string) {
  return JSON.parse(readFileSync(join(IMPORTS, file), 'utf8'));
}

describe('schema documents', () => {
  const documents = FILES.filter((file) => file.endsWith('.schema.json'));

  test.each(documents)('%s is JSON Schema', (file) => {
    const ajv = new Ajv({ strict: false });
    for (const [name, schema] of Object.entries<object>(read(file).definitions)) {
      expect([name, ajv.validateSchema(schema)]).toEqual([name, true]);
    }
  });

  test.each(documents)('%s refers to definitions that exist', (file) => {
    const refs = [...JSON.stringify(read(file)).matchAll(/"\$ref":"(.*?)#\/definitions\/(.*?)"/g)];
    const missing = refs.filter(
      ([, document, name = '']) => !(name in read(document ? `${document}.schema.json` : file).definitions),
    );
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  test('are indexed, each address leading to a definition', () => {
    for (const address of Object.values(index)) {
      const [document, name = ''] = address.split('#');
      expect(read(`${document}.schema.json`).definitions).toHaveProperty([name]);
    }
  });

  test('together are small', () => {
    const bytes = (folder: string): number =>
      documents
        .filter((file) => file.startsWith(folder))
        .reduce((sum, file) => sum + statSync(join(IMPORTS, file)).size, 0);
    expect(bytes('crds')).toBeLessThan(160_000);
  });
});

describe('custom resources', () => {
  const custom = Object.entries(index).filter(([, address]) => address.startsWith('crds/'));

  test('each kind at each version has a sample', () => {
    const sampled = SAMPLES.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`);
    expect(sampled.sort()).toEqual(custom.map(([key]) => key).sort());
  });

  test.each(OTHER_SAMPLES)('$apiVersion $kind: the sample is accepted', (sample) => {
    expect(checkObject({ ...sample, metadata: { name: 'sample', namespace: 'default', labels: { a: 'b' } } })).toEqual(
      [],
    );
  });

  test.each(SAMPLES)('$apiVersion $kind: a field that it does not have is refused', (sample) => {
    expect(checkObject({ ...sample, metadata: { name: 'x' }, spek: {} })).toMatchObject([
      { code: 'field-refused', cause: 'unknown', place: `${sample.kind} x`, parameters: { field: 'spek' } },
    ]);
  });
});

describe('built-in kinds', () => {
  const builtIn = Object.entries(index).filter(([, address]) => address.startsWith('kubernetes#'));

  test.each(builtIn)('%s: nothing but required fields is missing from an empty one', (key) => {
    const apiVersion = key.slice(0, key.lastIndexOf('/'));
    const kind = key.slice(key.lastIndexOf('/') + 1);
    const problems = checkObject({ apiVersion, kind, metadata: { name: 'x' } });
    expect(problems.filter(({ code, cause }) => code !== 'field-refused' || cause !== 'required')).toEqual([]);
  });
});

describe('charts', () => {
  const values = FILES.filter((file) => /\.(defaults|ha)\.json$/.test(file));

  test.each(values)('%s fits the schema of its chart', (file) => {
    const [, name = '', release = '', kind] = /^charts\/(.*?)\/(.*)\.(defaults|ha)\.json$/.exec(file) ?? [];
    const chart = { name, version: '1', repository: '', valuesOf: release, kinds: [], foreignNamespaces: [] };
    expect(index).toHaveProperty([`charts/${name}/${release}`]);
    const values = importedValues(name, release, kind === 'ha' ? 'ha' : 'defaults');
    expect(Object.keys(values)).not.toEqual([]);
    // The chart of multicluster writes its empty list of tolerations as a map.
    const odd = name === 'linkerd-multicluster' && kind === 'defaults' ? ['values.controllerDefaults.tolerations'] : [];
    expect(checkValues(chart, values).map(({ about }) => about)).toEqual(odd);
  });

  test('releases of which only data differs share a schema', () => {
    expect(schemaAddress('charts/linkerd-viz/edge-26.1.4')).toBe(schemaAddress('charts/linkerd-viz/edge-26.8.3'));
  });

  test('a value is known where the release has it, and nowhere else', () => {
    const chart = { name: 'linkerd-control-plane', version: '1', repository: '', kinds: [], foreignNamespaces: [] };
    const check = (valuesOf: string, values: Values) =>
      checkValues({ ...chart, valuesOf }, values).map(({ about }) => about);
    const ownImage = { proxyInit: { image: { version: 'v1' }, runAsRoot: true } };
    expect(check('edge-25.10.7', ownImage)).toEqual([]);
    expect(check('edge-26.5.1', ownImage)).toEqual(['values.proxyInit.image']);
    const timestamps = { podMonitor: { enabled: true, proxy: { honorTimestamps: true } } };
    expect(check('edge-26.8.3', timestamps)).toEqual([]);
    expect(check('edge-26.5.1', timestamps)).toEqual(['values.podMonitor.proxy.honorTimestamps']);
    expect(check('edge-25.10.7', { proxy: { cores: 'many' } })).toEqual(['values.proxy.cores']);
  });
});

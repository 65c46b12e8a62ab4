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

  test.each(documents)('include %s, which is valid JSON Schema', (file) => {
    const ajv = new Ajv({ strict: false });
    for (const [name, schema] of Object.entries<object>(read(file).definitions)) {
      expect([name, ajv.validateSchema(schema)]).toEqual([name, true]);
    }
  });

  test.each(documents)('include %s, which refers only to existing definitions', (file) => {
    const refs = [...JSON.stringify(read(file)).matchAll(/"\$ref":"(.*?)#\/definitions\/(.*?)"/g)];
    const missing = refs.filter(
      ([, document, name = '']) => !(name in read(document ? `${document}.schema.json` : file).definitions),
    );
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  test('contain the definition of each address in the index', () => {
    for (const address of Object.values(index)) {
      const [document, name = ''] = address.split('#');
      expect(read(`${document}.schema.json`).definitions).toHaveProperty([name]);
    }
  });

  test('of CRDs have less than 160 kB in total', () => {
    const bytes = (folder: string): number =>
      documents
        .filter((file) => file.startsWith(folder))
        .reduce((sum, file) => sum + statSync(join(IMPORTS, file)).size, 0);
    expect(bytes('crds')).toBeLessThan(160_000);
  });
});

describe('custom resources', () => {
  const custom = Object.entries(index).filter(([, address]) => address.startsWith('crds/'));

  test('have a sample of each kind at each version', () => {
    const sampled = SAMPLES.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`);
    expect(sampled.sort()).toEqual(custom.map(([key]) => key).sort());
  });

  test.each(OTHER_SAMPLES)('accept the sample: $apiVersion $kind', (sample) => {
    expect(checkObject({ ...sample, metadata: { name: 'sample', namespace: 'default', labels: { a: 'b' } } })).toEqual(
      [],
    );
  });

  test.each(SAMPLES)('refuse an unknown field: $apiVersion $kind', (sample) => {
    expect(checkObject({ ...sample, metadata: { name: 'x' }, spek: {} })).toMatchObject([
      { code: 'field-refused', cause: 'unknown', place: `${sample.kind} x`, parameters: { field: 'spek' } },
    ]);
  });
});

describe('built-in kinds', () => {
  const builtIn = Object.entries(index).filter(([, address]) => address.startsWith('kubernetes#'));

  test.each(builtIn)('refuse an empty object only for its required fields: %s', (key) => {
    const apiVersion = key.slice(0, key.lastIndexOf('/'));
    const kind = key.slice(key.lastIndexOf('/') + 1);
    const problems = checkObject({ apiVersion, kind, metadata: { name: 'x' } });
    expect(problems.filter(({ code, cause }) => code !== 'field-refused' || cause !== 'required')).toEqual([]);
  });
});

describe('values of charts', () => {
  const values = FILES.filter((file) => /\.(defaults|ha)\.json$/.test(file));

  test.each(values)('in %s fit the schema of the chart', (file) => {
    const [, name = '', release = '', kind] = /^charts\/(.*?)\/(.*)\.(defaults|ha)\.json$/.exec(file) ?? [];
    const chart = { name, version: '1', repository: '', valuesOf: release, kinds: [], foreignNamespaces: [] };
    expect(index).toHaveProperty([`charts/${name}/${release}`]);
    const values = importedValues(name, release, kind === 'ha' ? 'ha' : 'defaults');
    expect(Object.keys(values)).not.toEqual([]);
    // The chart of multicluster writes its empty list of tolerations as a map.
    const odd = name === 'linkerd-multicluster' && kind === 'defaults' ? ['values.controllerDefaults.tolerations'] : [];
    expect(checkValues(chart, values).map(({ about }) => about)).toEqual(odd);
  });

  test('have one schema for releases that differ only in data', () => {
    expect(schemaAddress('charts/linkerd-viz/edge-26.1.4')).toBe(schemaAddress('charts/linkerd-viz/edge-26.8.3'));
  });

  test('are accepted only for releases that have them', () => {
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

import { parse } from 'yaml';

/** An upstream file that schemas are made from, at one exact version. */
export interface Pin {
  /**
   * The path that names the file: `crds/GROUP/PLURAL.yaml`, `charts/CHART/RELEASE/values.yaml`,
   * `kubernetes/swagger.json`.
   */
  readonly name: string;
  readonly url: string;
}

const NAME =
  /^(?:crds\/[a-z0-9.-]+\/[a-z-]+\.yaml|charts\/[a-z0-9-]+\/[\w.-]+\/values(?:-ha\.yaml|\.yaml|\.schema\.json)|kubernetes\/swagger\.json)$/;

/** The pins in `cdk8s.yaml`: its `imports`, each `name:=URL`. */
export function parsePins(cdk8sYaml: string): readonly Pin[] {
  const { imports = [] } = parse(cdk8sYaml) as { imports?: readonly string[] };
  return imports.map((line) => {
    const [name = '', url = '', ...rest] = line.split(':=');
    if (!NAME.test(name) || !url.startsWith('https://') || rest.length > 0) {
      throw new Error(`cdk8s.yaml: imports: "${line}" is not NAME:=URL with a path as NAME, as in the other lines`);
    }
    return { name, url };
  });
}

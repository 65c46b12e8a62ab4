import { type Code, printCode } from '../migrate/code';
import { type Answers, outdirOf } from './answers';

/** The name of the fleet file. */
export const FLEET_FILE = 'fleet.yaml';

/** Returns the program of a project. Its synth reports no findings. */
export function programText(answers: Answers): string {
  const { clusters, fleet, operator } = answers;
  const [first = ''] = clusters;
  const isShared = fleet || clusters.length > 1;
  const imports = [
    ...(isShared ? ['type Cluster'] : []),
    'LinkerdConfig',
    'LinkerdMesh',
    'Platform',
    ...(fleet ? ['readFleet'] : []),
  ].filter((name) => operator || name !== 'LinkerdConfig');
  const body = meshLines(answers)
    .map((line) => `  ${line}`)
    .join('\n');
  const parts = [
    `import { ${imports.join(', ')} } from 'cdk8s-linkerd';`,
    ...(fleet ? [`const { rings, clusters } = readFleet(${printCode(FLEET_FILE)});`] : []),
    platformLines(answers).join('\n'),
    ...(isShared ? [`/** The mesh of each cluster. */\nfunction addMesh(cluster: Cluster) {\n${body}\n}`] : []),
    ...(fleet ? ['platform.addClusters(clusters, addMesh);'] : []),
    ...(isShared && !fleet ? [clusters.map(addCluster).join('\n')] : []),
    ...(isShared ? [] : [`platform.addCluster(${printCode(first)}, {}, (cluster) => {\n${body}\n});`]),
    'platform.run();',
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Returns the file of a fleet's clusters. */
export function fleetText({ clusters }: Answers): string {
  const [first = '', ...others] = clusters;
  return `# yaml-language-server: $schema=./node_modules/cdk8s-linkerd/schemas/fleet.schema.json
clusters:
  # Argo CD runs in this one, and knows the others by the names of their destinations.
  - name: ${yamlName(first)}
${others.map((name) => `  - { name: ${yamlName(name)}, destination: { name: ${yamlName(name)} } }\n`).join('')}`;
}

/** Quoted, because a DNS label of digits is a number in YAML, and `on` a boolean for some parsers. */
function yamlName(name: string): string {
  return JSON.stringify(name);
}

function platformLines({ repoUrl, path, fleet }: Answers): readonly string[] {
  const outdir = outdirOf(path);
  const props: Readonly<Record<string, Code>> = {
    repoUrl,
    ...(path === 'dist' ? {} : { path }),
    ...(outdir === 'dist' ? {} : { outdir }),
  };
  return [
    'const platform = new Platform({',
    ...Object.entries(props).map(([key, value]) => `  ${key}: ${printCode(value)},`),
    ...(fleet ? ['  rings,'] : []),
    '  // With a Prometheus operator, set monitoring of LinkerdMesh, and remove this.',
    "  acknowledge: { 'certificate-alerts-missing': 'there is no Prometheus operator yet' },",
    '});',
  ];
}

function meshLines({ gatewayApi, highAvailability, operator }: Answers): readonly string[] {
  return [
    `${operator ? 'const mesh = ' : ''}new LinkerdMesh(cluster, 'mesh', {`,
    `  crds: { gatewayApi: ${printCode(gatewayApi)} },`,
    ...(highAvailability ? [] : ['  highAvailability: false,']),
    ...(operator ? ['  operator: {},'] : []),
    '});',
    ...(operator ? [`new LinkerdConfig(cluster, 'config', { operator: mesh.operator });`] : []),
  ];
}

function addCluster(name: string, index: number): string {
  return `platform.addCluster(${printCode(name)}, ${printCode(index === 0 ? {} : { destination: { name } })}, addMesh);`;
}

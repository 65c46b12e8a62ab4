/**
 * Time of `cdk8s-linkerd lint` on one small file and on 10,000 objects, and of `node --help` as the lower bound.
 * Run: npm run build && npx tsx bench/lint.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROUNDS = 5;
const APPS = 2_500;

const program = join(__dirname, '..', 'build', 'bin', 'cdk8s-linkerd.js');

/** Four objects. The Deployment has a field that the API server drops. */
function app(index: number): string {
  const [name, namespace] = [`web-${index}`, `ns-${index % 100}`];
  const metadata = `metadata: { name: ${name}, namespace: ${namespace} }`;
  return [
    `apiVersion: apps/v1
kind: Deployment
${metadata}
spec:
  replica: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} }, annotations: { linkerd.io/inject: enabled } }
    spec:
      serviceAccountName: ${name}
      containers: [{ name: web, image: "registry.example.com/web:1.${index}", ports: [{ containerPort: 8080, name: http }] }]
`,
    `apiVersion: v1
kind: Service
${metadata}
spec: { selector: { app: ${name} }, ports: [{ port: 80, targetPort: http }] }
`,
    `apiVersion: v1\nkind: ServiceAccount\n${metadata}\n`,
    `apiVersion: policy.linkerd.io/v1beta3
kind: Server
${metadata}
spec: { podSelector: { matchLabels: { app: ${name} } }, port: http }
`,
  ].join('---\n');
}

/** Milliseconds of the fastest of several rounds, which other load on the machine affects least. */
function best(args: readonly string[], rounds = ROUNDS): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    return performance.now() - start;
  });
  return Math.min(...times);
}

const folder = mkdtempSync(join(tmpdir(), 'bench-lint-'));
try {
  const [small, large] = [join(folder, 'small.yaml'), join(folder, 'large.yaml')];
  writeFileSync(small, app(0));
  writeFileSync(large, Array.from({ length: APPS }, (_, index) => app(index)).join('---\n'));
  // Skips the error of the dropped field, because execFileSync throws if `lint` reports an error.
  const lint = (file: string) => [program, 'lint', file, '--skip', 'field-refused'];
  console.log(`floor          ${best(['--help']).toFixed(0)} ms`);
  console.log(`one file       ${best(lint(small)).toFixed(0)} ms`);
  console.log(`10,000 objects ${best(lint(large), 1).toFixed(0)} ms`);
} finally {
  rmSync(folder, { recursive: true });
}

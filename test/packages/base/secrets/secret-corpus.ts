/** A form of a secret in an object, and the fields of an object in this form. */
export type SecretForm = readonly [name: string, kind: string, fields: (secret: string) => object];

const base64 = (text: string) => Buffer.from(text).toString('base64');
const config =
  (key: string, text: (secret: string) => string): SecretForm['2'] =>
  (secret) => ({ data: { [key]: text(secret) } });
const values =
  (make: (secret: string) => object): SecretForm['2'] =>
  (secret) => ({ spec: make(secret) });
const secretObject = (secret: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's' },
  stringData: { any: secret },
});
const pod = (container: object) => ({ spec: { containers: [{ name: 'c', image: 'a/b:1', ...container }] } });

/** A private key that contains the given secret, so that a test can search for it. */
const pem = (secret: string) => `-----BEGIN PRIVATE KEY-----\n${secret.padEnd(64, 'A')}\n-----END PRIVATE KEY-----\n`;

const kubeconfig = (user: string) => `apiVersion: v1
kind: Config
clusters:
  - name: a
    cluster:
      server: https://a.example.com:6443
users:
  - name: a
    user:
      ${user}
`;

/** Each secret has 20 letters and digits, and begins with `hunter2`. */
export const SECRET_FORMS: readonly SecretForm[] = [
  // Names of members.
  ...(
    [
      ['password', 'PASSWORD', 'dbPassword', 'db-password', 'PGPASSWORD', 'adminPasswd', 'passphrase'],
      ['DB_PASS', 'smtpPass', 'SMTPPASS', 'MYSQL_PWD', 'dbpwd', 'DBPWD', 'userPwd'],
      ['token', 'API_TOKEN', 'bearerToken', 'bot-token', '_authToken', 'id_token'],
      ['apiKey', 'API_KEY', 'apikey', 'x-api-key', 'AWS_SECRET_ACCESS_KEY', 'accessKey', 'secretKey', 'SECRET_KEY'],
      ['ENCRYPTION_KEY', 'encryptionKey', 'encryption-key', 'SIGNING_KEY', 'masterKey', 'storage_account_key'],
      ['LICENSE_KEY', 'DD_APP_KEY', 'sessionKey', 'JWT_KEY', 'hmac-key', 'COOKIE_KEY', 'unsealKey', 'preSharedKey'],
      ['clientSecret', 'CLIENT_SECRET', 'JWT_SECRET', 'SESSION_SECRET', 'cookieSecret', 'webhookSecret'],
      ['private_key', 'privateKey', 'PrivateKey', 'client-key-data', 'keyPEM', 'credentials', 'tls.key', 'server.key'],
    ] as const
  )
    .flat()
    .map((name): SecretForm => [`a ConfigMap's ${name}`, 'ConfigMap', (secret) => ({ data: { [name]: secret } })]),
  ['a value', 'Tenant', values((secret) => ({ smtp: { password: secret } }))],
  ['a list of passwords', 'Tenant', values((secret) => ({ passwords: [secret, 'b'] }))],
  ['a list of tokens', 'Tenant', values((secret) => ({ api: { tokens: [secret] } }))],
  ['a header by its name', 'Tenant', values((secret) => ({ headers: { Authorization: `Bearer ${secret}` } }))],
  ['a header in a list', 'Tenant', values((s) => ({ headers: [{ name: 'X-Api-Key', value: s }] }))],
  ['a JSON Web Key', 'Tenant', values((d) => ({ jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'a', d }] } }))],
  // Pods.
  ['a variable', 'Pod', (value) => pod({ env: [{ name: 'DB_PASS', value }] })],
  ['a variable with a header', 'Pod', (s) => pod({ env: [{ name: 'AUTHORIZATION', value: `Basic ${s}` }] })],
  ['a variable with a URL', 'Pod', (s) => pod({ env: [{ name: 'DATABASE_URL', value: `postgres://a:${s}@db/x` }] })],
  ['an argument', 'Pod', (secret) => pod({ args: [`--password=${secret}`] })],
  ['an argument and its value in two items', 'Pod', (secret) => pod({ args: ['--db.password', secret] })],
  ['a property of Java', 'Pod', (secret) => pod({ args: [`-Djavax.net.ssl.keyStorePassword=${secret}`] })],
  ['a shell command', 'Pod', (s) => pod({ command: ['sh', '-c', `mysql --password ${s} -e 'select 1'`] })],
  ['a shell command with quotes', 'Pod', (s) => pod({ command: ['sh', '-c', `app --token "${s}" run`] })],
  ['a shell variable', 'Pod', (s) => pod({ command: ['sh', '-c', `export REDIS_PASSWORD=${s}; run`] })],
  ['curl with a login', 'Pod', (s) => pod({ command: ['sh', '-c', `curl -s -u admin:${s} http://a/`] })],
  [
    'curl with a header',
    'Pod',
    (s) => pod({ command: ['sh', '-c', `curl -H "Authorization: Bearer ${s}" http://a/`] }),
  ],
  [
    'curl with a header of the scheme token',
    'Pod',
    (s) => pod({ args: [`curl -H 'Authorization: token ${s}' http://a/`] }),
  ],
  [
    'an ephemeral container',
    'Pod',
    (v) => ({ spec: { initContainers: [{ name: 'i', env: [{ name: 'X_TOKEN', value: v }] }] } }),
  ],
  // Secrets.
  ['the data of a Secret', 'Secret', (secret) => ({ data: { any: base64(secret) } })],
  ['the stringData of a Secret', 'Secret', (secret) => ({ stringData: { any: secret } })],
  ['a Secret in a List', 'List', (secret) => ({ items: [secretObject(secret)] })],
  [
    'a Secret in a List in a List',
    'List',
    (s) => ({ items: [{ apiVersion: 'v1', kind: 'List', items: [secretObject(s)] }] }),
  ],
  ['a SecretList', 'SecretList', (any) => ({ items: [{ metadata: { name: 's' }, stringData: { any } }] })],
  ['a Secret among values', 'Tenant', values((secret) => ({ extraObjects: [secretObject(secret)] }))],
  ['numbers in a Secret', 'Secret', (secret) => ({ stringData: { any: { deep: [secret] } } })],
  [
    'a Docker config in a Secret',
    'Secret',
    (s) => ({ data: { '.dockerconfigjson': base64(JSON.stringify({ auths: { a: { auth: base64(`u:${s}`) } } })) } }),
  ],
  // Manifests as text.
  ['a Secret as YAML', 'ConfigMap', config('a.yaml', (s) => `kind: Secret\nstringData:\n  any: ${s}\n`)],
  ['a second document', 'ConfigMap', config('a.yaml', (s) => `kind: A\n---\nkind: Secret\nstringData:\n  any: ${s}\n`)],
  ['a Secret as JSON', 'ConfigMap', config('a.json', (s) => JSON.stringify(secretObject(s)))],
  [
    'a Secret in a List as text',
    'ConfigMap',
    config('a.json', (s) => JSON.stringify({ kind: 'List', items: [secretObject(s)] }, undefined, 2)),
  ],
  [
    'a Secret as a template',
    'ConfigMap',
    config('a.yaml', (s) => `kind: Secret\n{{ if .x }}\nstringData:\n  any: ${s}\n{{ end }}\n`),
  ],
  [
    'the last-applied annotation',
    'ConfigMap',
    (s) => ({
      metadata: {
        name: 'a',
        namespace: 'b',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(secretObject(s))}\n` },
      },
    }),
  ],
  [
    'the last-applied annotation, with a variable',
    'ConfigMap',
    (s) => ({
      metadata: {
        name: 'a',
        namespace: 'b',
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(
            pod({ env: [{ name: 'X_PASSWORD', value: s }] }),
          ),
        },
      },
    }),
  ],
  [
    'helm.values of an Application',
    'Application',
    values((s) => ({ source: { helm: { values: `redis:\n  auth:\n    password: ${s}\n` } } })),
  ],
  [
    'helm.values with a list',
    'Application',
    values((s) => ({ source: { helm: { values: `env:\n  - name: DB_PASS\n    value: ${s}\n` } } })),
  ],
  [
    'helm.valuesObject of an Application',
    'Application',
    values((s) => ({ source: { helm: { valuesObject: { redis: { password: s } } } } })),
  ],
  [
    'helm.parameters of an Application',
    'Application',
    values((value) => ({ source: { helm: { parameters: [{ name: 'redis.auth.password', value }] } } })),
  ],
  ['variables in YAML', 'ConfigMap', config('a.yaml', (s) => `env:\n- name: ADMIN_PASSWORD\n  value: "${s}"\n`)],
  [
    'YAML within JSON',
    'ConfigMap',
    config('a.json', (s) => JSON.stringify({ files: { 'a.yaml': `db:\n  password: ${s}\n` } })),
  ],
  ['YAML of one line', 'ConfigMap', config('a.yaml', (s) => `password: ${s}`)],
  ['YAML with a comment', 'ConfigMap', config('a.yaml', (s) => `a: 1\n# password: ${s}\nb: 2\n`)],
  ['YAML with a block scalar', 'ConfigMap', config('a.yaml', (s) => `a: 1\npassword: |\n  ${s}\n`)],
  ['YAML in flow style', 'ConfigMap', config('a.yaml', (s) => `db: {user: a, password: ${s}}\nother: 1\n`)],
  // Files.
  ['a kubeconfig with a token', 'ConfigMap', config('config', (s) => kubeconfig(`token: ${s}`))],
  ['a kubeconfig with a key', 'ConfigMap', config('config', (s) => kubeconfig(`client-key-data: ${s}`))],
  ['a kubeconfig with a password', 'ConfigMap', config('config', (s) => kubeconfig(`password: "${s}"`))],
  ['a kubeconfig in base64', 'ConfigMap', (s) => ({ binaryData: { config: base64(kubeconfig(`token: ${s}`)) } })],
  [
    'a Docker config',
    'ConfigMap',
    config('config.json', (s) => JSON.stringify({ auths: { 'a.example.com': { auth: base64(`user:${s}`) } } })),
  ],
  [
    'a Docker config in YAML',
    'ConfigMap',
    config('config.yaml', (s) => `auths:\n  a.example.com:\n    auth: ${base64(`user:${s}`)}\n`),
  ],
  [
    'a Docker config as .dockerconfigjson',
    'ConfigMap',
    (s) => ({
      data: { '.dockerconfigjson': base64(JSON.stringify({ auths: { a: { username: 'u', password: s } } })) },
    }),
  ],
  [
    'npmrc',
    'ConfigMap',
    config('.npmrc', (s) => `registry=https://a.example.com/\n//a.example.com/:_authToken=${s}\n`),
  ],
  ['npmrc with a login', 'ConfigMap', config('.npmrc', (s) => `email=a@b.c\n_auth=${base64(`user:${s}`)}\n`)],
  ['netrc', 'ConfigMap', config('.netrc', (s) => `machine a.example.com login me password ${s}\n`)],
  ['netrc in lines', 'ConfigMap', config('.netrc', (s) => `machine a.example.com\n  login me\n  password ${s}\n`)],
  ['INI', 'ConfigMap', config('a.ini', (s) => `[database]\nuser = me\npassword = ${s}\n`)],
  ['INI with a semicolon', 'ConfigMap', config('grafana.ini', (s) => `[security]\nadmin_password = """${s}"""\n`)],
  ['TOML', 'ConfigMap', config('a.toml', (s) => `[auth]\nclient_secret = "${s}"\n`)],
  ['dotenv', 'ConfigMap', config('.env', (s) => `A=1\nexport STRIPE_API_KEY='${s}'\n`)],
  ['properties', 'ConfigMap', config('a.properties', (s) => `a=1\nspring.datasource.password=${s}\n`)],
  ['HCL', 'ConfigMap', config('a.hcl', (s) => `listener {\n  token = "${s}"\n}\n`)],
  ['XML', 'ConfigMap', config('settings.xml', (s) => `<server>\n  <password>${s}</password>\n</server>\n`)],
  ['redis.conf', 'ConfigMap', config('redis.conf', (s) => `port 6379\nrequirepass ${s}\n`)],
  ['SQL', 'ConfigMap', config('a.sql', (s) => `CREATE USER a WITH LOGIN;\nALTER USER a PASSWORD '${s}';\n`)],
  ['SQL of MySQL', 'ConfigMap', config('a.sql', (s) => `CREATE USER a IDENTIFIED BY '${s}';\n`)],
  ['a template that is not YAML', 'ConfigMap', config('a.tpl', (s) => `{{ if .x }}\npassword: ${s}\n{{ end }}\n`)],
  ['a quoted template', 'ConfigMap', config('a.tpl', (s) => `{{ if .x }}\nAuthorization: "Bearer ${s}"\n{{ end }}\n`)],
  [
    'nginx with a header',
    'ConfigMap',
    config('nginx.conf', (s) => `location / {\n  proxy_set_header Authorization "Bearer ${s}";\n}\n`),
  ],
  [
    'Prometheus with a header',
    'ConfigMap',
    config('p.yaml', (s) => `scrape_configs:\n- job_name: a\n  authorization:\n    credentials: ${s}\n`),
  ],
  ['a connection string', 'ConfigMap', config('a', (s) => `Server=db;User Id=a;Password=${s};Encrypt=true`)],
  [
    'a connection string of a storage',
    'ConfigMap',
    config('a', (s) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s};EndpointSuffix=b`),
  ],
  [
    'a connection string of a bus',
    'ConfigMap',
    config('a', (s) => `Endpoint=sb://a/;SharedAccessKeyName=b;SharedAccessKey=${s}`),
  ],
  ['a DSN of libpq', 'ConfigMap', config('a', (s) => `host=db user=me password=${s} sslmode=require`)],
  ['a DSN of Go', 'ConfigMap', config('a', (s) => `me:${s}@tcp(db:3306)/shop`)],
  ['a URL with a login', 'ConfigMap', config('a', (s) => `see https://me:${s}@git.example.com/a.git`)],
  ['a URL with a token', 'ConfigMap', config('a', (s) => `https://a.example.com/?access_token=${s}&b=1`)],
  ['a URL with a signature', 'ConfigMap', config('a', (s) => `https://a.blob.example.com/b?sv=1&sig=${s}`)],
  ['a webhook URL of Slack', 'ConfigMap', config('a', (s) => `https://hooks.slack.com/services/T0/B0/${s}`)],
  ['a login of htpasswd', 'ConfigMap', config('auth', (s) => `me:$apr1$${s}$abcdefghijklmnop\n`)],
  // Secrets with a recognizable form.
  ['a token of GitHub', 'ConfigMap', config('a', (s) => `ghp_${s}${s}`)],
  ['a token of GitLab', 'ConfigMap', config('a', (s) => `glpat-${s}`)],
  ['a token of Vault', 'ConfigMap', config('a', (s) => `hvs.${s}${s}`)],
  ['a token of Slack', 'ConfigMap', config('a', (s) => `xoxb-1234567890-${s}`)],
  ['a key of Stripe', 'ConfigMap', config('a', (s) => `sk_live_${s}`)],
  ['a key of Google', 'ConfigMap', config('a', (s) => `AIza${s.padEnd(35, 'x')}`)],
  ['a token of Grafana', 'ConfigMap', config('a', (s) => `glsa_${s}_0123abcd`)],
  ['a JSON Web Token', 'ConfigMap', config('a', (s) => `eyJhbGciOiJSUzI1NiJ9.eyJ${s}.${s}`)],
  ['a key in PEM', 'ConfigMap', config('a', pem)],
  ['a key in PEM in JSON', 'ConfigMap', config('a.json', (s) => JSON.stringify({ a: { b: pem(s) } }))],
  ['a key in PEM in base64', 'ConfigMap', (s) => ({ binaryData: { a: base64(pem(s)) } })],
  [
    'a service account of Google',
    'ConfigMap',
    config('a.json', (s) => JSON.stringify({ type: 'service_account', private_key: pem(s) })),
  ],
  ['properties in base64', 'ConfigMap', (s) => ({ binaryData: { a: base64(`a=1\ndb.password=${s}\n`) } })],
  [
    'properties in base64 in base64',
    'ConfigMap',
    (s) => ({ binaryData: { a: base64(base64(`a=1\ndb.password=${s}\n`)) } }),
  ],
  [
    'a kubeconfig in base64 within YAML',
    'ConfigMap',
    config('a.yaml', (s) => `clusters:\n- kubeconfig: ${base64(kubeconfig(`token: ${s}`))}\n`),
  ],
];

/** Forms that look like secrets, but that a diff must show. */
export const SHOWN_FORMS: readonly (readonly [name: string, kind: string, fields: object])[] = [
  [
    'a reference to a Secret',
    'Pod',
    pod({ env: [{ name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'db-credentials', key: 'password' } } }] }),
  ],
  ['a Secret as a source of variables', 'Pod', pod({ envFrom: [{ secretRef: { name: 'db-password' } }] })],
  [
    'a volume of a Secret',
    'Pod',
    {
      spec: {
        volumes: [{ name: 'tls', secret: { secretName: 'web-tls', items: [{ key: 'tls.key', path: 'tls.key' }] } }],
      },
    },
  ],
  [
    'a token that the kubelet makes',
    'Pod',
    {
      spec: {
        automountServiceAccountToken: false,
        volumes: [
          {
            name: 'linkerd-identity-token',
            projected: {
              sources: [
                {
                  serviceAccountToken: {
                    path: 'linkerd-identity-token',
                    audience: 'identity.l5d.io',
                    expirationSeconds: 86400,
                  },
                },
              ],
            },
          },
        ],
      },
    },
  ],
  ['imagePullSecrets', 'ServiceAccount', { imagePullSecrets: [{ name: 'registry-credentials' }] }],
  ['an image with a digest', 'Pod', pod({ image: `a.example.com/token-api:v1@sha256:${'ab12'.repeat(16)}` })],
  ['an image with the name of a secret', 'Pod', pod({ image: 'a.example.com/private-key:1.2.3' })],
  [
    'a checksum',
    'Deployment',
    { spec: { template: { metadata: { annotations: { 'checksum/config': 'ab12'.repeat(16) } } } } },
  ],
  [
    'a file with a password',
    'Pod',
    pod({
      args: [
        '--password-file=/etc/db/password',
        '--token-ttl=5m',
        '--server-tls-key=/var/run/tls/tls.key',
        '--tls-key',
        '/etc/ssl/tls.key',
      ],
    }),
  ],
  [
    'a path to a key',
    'ConfigMap',
    { data: { 'a.yaml': 'tls.key: /etc/tls/private/tls.key\npasswordFile: /etc/db/password\n' } },
  ],
  [
    'placeholders',
    'Pod',
    pod({
      env: [
        { name: 'DB_PASSWORD', value: '$(PASSWORD)' },
        { name: 'TOKEN', value: '${TOKEN}' },
      ],
    }),
  ],
  ['a URL with a placeholder for the user', 'ConfigMap', { data: { url: 'redis://$(USER)@redis:6379' } }],
  ['a template of a Secret', 'ConfigMap', { data: { 'a.tpl': 'password: {{ .Values.password }}\n' } }],
  [
    'names of Secrets',
    'Tenant',
    {
      spec: {
        existingSecret: 'web-auth',
        basicAuthSecret: 'viz-auth',
        tlsSecret: 'web-tls',
        secretName: 'linkerd-identity-issuer',
        passwordSecretRef: { name: 'db', key: 'password' },
      },
    },
  ],
  [
    'an ExternalSecret',
    'ExternalSecret',
    { spec: { data: [{ secretKey: 'db-password', remoteRef: { key: 'prod/db', property: 'password' } }] } },
  ],
  [
    'a Certificate',
    'Certificate',
    { spec: { secretName: 'web-tls', privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' } } },
  ],
  [
    'a certificate in PEM',
    'ConfigMap',
    { data: { 'ca-bundle.crt': '-----BEGIN CERTIFICATE-----\nMIIBgDCCASegAwIBAgIQ\n-----END CERTIFICATE-----\n' } },
  ],
  [
    'a caBundle',
    'Tenant',
    { spec: { caBundle: base64('-----BEGIN CERTIFICATE-----\nMIIBgDCCASegAwIBAgIQ\n-----END CERTIFICATE-----\n') } },
  ],
  [
    'certificate-authority-data',
    'ConfigMap',
    { data: { config: kubeconfig('client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==') } },
  ],
  [
    'a public key',
    'ConfigMap',
    { data: { publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@example.com', SSH_PUBLIC_KEY: 'AAAAC3Nz' } },
  ],
  [
    'rules about tokens',
    'ClusterRole',
    {
      rules: [
        {
          apiGroups: ['authentication.k8s.io'],
          resources: ['tokenreviews', 'serviceaccounts/token'],
          verbs: ['create'],
        },
      ],
    },
  ],
  ['a selector', 'Service', { spec: { selector: { app: 'token', 'app.kubernetes.io/name': 'password-manager' } } }],
  ['an expression', 'Tenant', { spec: { matchExpressions: [{ key: 'token', operator: 'In', values: ['a', 'b'] }] } }],
  ['a taint', 'Pod', { spec: { tolerations: [{ key: 'dedicated', value: 'secrets', effect: 'NoSchedule' }] } }],
  [
    'settings with the names of secrets',
    'Tenant',
    { spec: { token: true, password: null, auth: { enabled: true, token: '' }, bypass: 'all', compass: 'north' } },
  ],
  ['numbers about tokens', 'Tenant', { spec: { maxTokens: 4096, tokenTTLSeconds: 600, passwordMinLength: 12 } }],
  [
    'kinds of authentication',
    'Tenant',
    { spec: { auth: 'basic', authorization: 'enabled', authType: 'token', nextPageToken: 'page-2' } },
  ],
  [
    'a user of Git',
    'ConfigMap',
    { data: { repo: 'ssh://git@git.example.com/a.git', other: 'git@github.com:org/a.git' } },
  ],
  ['a port and a path', 'ConfigMap', { data: { a: 'https://example.com:8080/a@b', b: 'dst.svc.cluster.local:8086' } }],
  [
    'words about secrets',
    'ConfigMap',
    {
      metadata: {
        name: 'a',
        namespace: 'b',
        annotations: { note: 'The token and the password come from a Secret; Bearer tokens expire' },
      },
    },
  ],
  ['base64 of words', 'ConfigMap', { binaryData: { a: base64('nothing in this text is a secret, it is a logo\n') } }],
  [
    'a policy',
    'AuthorizationPolicy',
    {
      spec: {
        targetRef: { group: 'policy.linkerd.io', kind: 'Server', name: 'web' },
        requiredAuthenticationRefs: [{ kind: 'MeshTLSAuthentication', name: 'token-issuer' }],
      },
    },
  ],
];

const hex = (text: string) => Buffer.from(text).toString('hex');
const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('base64');

/** Messages that contain a secret. */
export const TEXT_FORMS: readonly (readonly [name: string, text: (secret: string) => string])[] = [
  ['a name and a colon', (s) => `password: ${s}`],
  ['a name and a colon, in a sentence', (s) => `The old password: ${s} was refused`],
  ['a name and a colon, of a lower-case password', () => 'the token: hunter'],
  ['a name without a space', (s) => `"password":${s}`.replace(`${s}`, `"${s}"`)],
  ['a name in a path', (s) => `values.smtp.password is "${s}", not a map`],
  ['an assignment', (s) => `DB_PASSWORD=${s} npm start`],
  ['an assignment with spaces', (s) => `set db.password = ${s}`],
  ['a variable named after a secret', (s) => `JWT_SECRET=${s}`],
  ['a flag', (s) => `ran helm --password ${s} upgrade`],
  ['a flag with a sign', (s) => `ran helm --password=${s} upgrade`],
  ['a flag of a lower-case password', () => 'ran helm --password hunter upgrade'],
  ['a flag in a list', (s) => `["helm","--password","${s}"]`],
  ['a login of Docker', (s) => `docker login -u me -p ${s} a.example.com`],
  ['a command of mysql', (s) => `mysql -u root -p${s} shop`],
  ['a command of curl', (s) => `curl -u me:${s} https://a.example.com`],
  ['a command of sshpass', (s) => `sshpass -p ${s} ssh a`],
  ['a header', (s) => `X-Api-Key: ${s}`],
  ['a header without a space', (s) => `curl -H 'X-Api-Key:${s}' a`],
  ['a header of GitLab', (s) => `PRIVATE-TOKEN: ${s}`],
  ['a cookie', (s) => `Cookie: session=${s}`],
  ['an authorization', (s) => `Authorization: Bearer ${s}`],
  ['a bearer', (s) => `refused Bearer ${s} twice`],
  ['a basic login', (s) => `Basic ${base64(`me:${s}`)}`],
  ['JSON', (s) => JSON.stringify({ password: s })],
  ['escaped JSON', (s) => JSON.stringify(JSON.stringify({ password: s }))],
  ['JSON escaped twice', (s) => JSON.stringify(JSON.stringify(JSON.stringify({ password: `a"${s}` })))],
  ['JSON with an escaped quote', (s) => JSON.stringify({ password: `a"${s}` })],
  ['truncated JSON', (s) => `{"password":"${s}`],
  ['a block of YAML', (s) => `password: |\n  ${s}\n`],
  ['a list of YAML', (s) => `tokens:\n  - ${s}\n`],
  ['a Secret that was refused', (s) => `error: {"data":{"any":"${base64(s)}"},"kind":"Secret"} is refused`],
  ['a Docker config', (s) => `{"auths":{"a":{"auth":"${base64(`me:${s}`)}"}}}`],
  ['a Docker config, escaped', (s) => JSON.stringify(JSON.stringify({ auths: { a: { auth: base64(`me:${s}`) } } }))],
  ['a URL', (s) => `https://me:${s}@git.example.com/a.git is refused`],
  ['a login without a scheme', (s) => `me:${s}@prometheus:9090`],
  ['a data source name of Go', (s) => `me:${s}@tcp(db:3306)/shop`],
  ['JDBC', (s) => `jdbc:mysql://db:3306/shop?user=me&password=${s}`],
  ['JDBC of SQL Server', (s) => `jdbc:sqlserver://db:1433;user=me;password=${s};encrypt=true`],
  ['JDBC of Oracle', (s) => `jdbc:oracle:thin:me/${s}@db:1521/shop`],
  ['a URL with a token', (s) => `GET https://a.example.com/b?access_token=${s}&c=1`],
  ['a key in PEM', pem],
  ['a key in PEM, escaped', (s) => JSON.stringify(JSON.stringify(pem(s)))],
  ['a key in PEM, folded', (s) => pem(s).replace('PRIVATE KEY', 'PRIVATE\n    KEY')],
  ['a key in PEM in base64', (s) => `key is ${base64(pem(s))}`],
  ['a key in PEM in hexadecimal', (s) => `key is ${hex(pem(s))}`],
  ['a key in PEM in UTF-16 in base64', (s) => `key is ${utf16(pem(s))}`],
  ['JSON in base64', (s) => `key is ${base64(JSON.stringify({ password: s }))}`],
  ['a JSON Web Key', (s) => JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: 'a', d: s })],
  ['a JSON Web Key, escaped', (s) => JSON.stringify(JSON.stringify({ kty: 'oct', k: s }))],
  ['a key of age', (s) => `AGE-SECRET-KEY-1${s.toUpperCase().padEnd(58, 'Q')}`],
  ['WireGuard', (s) => `PrivateKey = ${s.padEnd(43, 'A')}=`],
  ['a name and a value', (s) => `- name: DB_PASS\n  value: ${s}\n`],
  ['XML', (s) => `<password>${s}</password>`],
];

/** Forms that must not be in Git, whatever their names. */
export const REFUSED_FORMS: readonly (readonly [name: string, is: 'private key' | 'credentials', text: string])[] = [
  ['a JSON Web Key', 'private key', JSON.stringify({ kty: 'EC', x: 'a', d: 'hunter2aBcD3fGhIjKlM' })],
  ['a JSON Web Key', 'private key', JSON.stringify({ a: JSON.stringify({ kty: 'oct', k: 'hunter2aBcD3fGhIjKlM' }) })],
  ['a JSON Web Key in YAML', 'private key', 'keys:\n- kty: EC\n  d: hunter2aBcD3fGhIjKlM\n'],
  ['a key of age', 'private key', `AGE-SECRET-KEY-1${'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58)}`],
  [
    'a key of age in base64',
    'private key',
    base64(`# a\nAGE-SECRET-KEY-1${'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58)}\n`),
  ],
  ['WireGuard', 'private key', `[Interface]\nPrivateKey = ${'aB3+'.repeat(10)}abc=\nAddress = 10.0.0.1/24\n`],
  ['minisign', 'private key', `untrusted comment: minisign encrypted secret key\nRWRTY0Iy${'aB3+'.repeat(51)}\n`],
  ['PEM in hexadecimal', 'private key', hex(pem('a'))],
  ['PEM in UTF-16', 'private key', [...pem('a')].join('\0')],
  ['PEM in UTF-16 in base64', 'private key', utf16(pem('a'))],
  ['PEM in UTF-16 in base64, after a text', 'private key', `a: ${utf16(`\ufeffa${pem('a')}`)}`],
  ['PEM in base64 in lines', 'private key', `a: |\n  ${base64(pem('a').repeat(2)).replace(/.{64}/g, '$&\n  ')}\n`],
  [
    'PuTTY',
    'private key',
    'PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAAIHRhYmFzY29kZWQ0MjQyNDI0MjQyNDI=\n',
  ],
  ['a login of Docker', 'credentials', JSON.stringify({ auths: { a: { auth: base64('me:hunter2') } } })],
  [
    'a login of Docker in base64',
    'credentials',
    base64(JSON.stringify({ auths: { a: { auth: base64('me:hunter2') } } })),
  ],
  ['a login of npm', 'credentials', `registry=https://a.example.com\n_auth=${base64('me:hunter2')}\n`],
  ['a login in a header', 'credentials', `Authorization: Basic ${base64('me:hunter2')}`],
  ['a URL', 'credentials', 'postgres://me:hunter2@db:5432/shop'],
  ['a URL in base64', 'credentials', base64('postgres://me:hunter2@db:5432/shop')],
  ['a data source name of Go', 'credentials', 'me:hunter2@tcp(db:3306)/shop'],
  ['JDBC', 'credentials', 'jdbc:mysql://db:3306/shop?user=me&password=hunter2'],
  ['JDBC of SQL Server', 'credentials', 'jdbc:sqlserver://db:1433;user=me;password=hunter2;encrypt=true'],
  ['JDBC of Oracle', 'credentials', 'jdbc:oracle:thin:me/hunter2@db:1521/shop'],
  ['a token of GitHub', 'credentials', `ghp_${'aB3d'.repeat(9)}`],
  ['a hook', 'credentials', 'https://hooks.slack.com/services/T0AB/B0CD/hunter2aBcD3fGhIjKlM'],
];

/** Texts that resemble secrets, but may be in Git. */
export const HARMLESS_TEXTS: readonly string[] = [
  'see https://user:password@host for the format',
  'postgres://username:pass@localhost/db, postgres://<user>:<password>@<host>, redis://:${PASSWORD}@redis',
  'jdbc:postgresql://db/shop?user=me&password=${PASSWORD}',
  'user:password@tcp(localhost:3306)/db',
  'sum by (instance) (rate(http_requests_total{url=~"https://[^:]+:[^@]+@.+", token!="", password="a"}[5m]))',
  'label_replace(up, "host", "$2", "instance", "https?://(.*):(.*)@(.*)")',
  'probe_success{instance="https://me@a.example.com/", job=~".+:.+@tcp(.+)"}',
  'rate(x{secret="linkerd-identity-issuer",key="tls.key"}[5m] @ 1609746000)',
  'AKIAIOSFODNN7EXAMPLE and https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'Authorization: Basic <credentials>, Authorization: Bearer $TOKEN',
  'auth: basic',
  '{"kty":"EC","crv":"P-256","x":"aGVsbG8gd29ybGQgaGVsbG8","y":"aGVsbG8gd29ybGQgaGVsbG8"}',
  'recipients: age1qpzry9x8gf2tvdw0s3jn54khce6mua7lqpzry9x8gf2tvdw0s3jn54khce6mua7l',
  'untrusted comment: minisign public key\nRWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3',
  'PublicKey = aB3+aB3+aB3+aB3+aB3+aB3+aB3+aB3+aB3+aB3+abc=',
  'privateKey:\n  algorithm: ECDSA\n  size: 256',
  `sha256:${'0123456789abcdef'.repeat(4)}`,
  'what stands between BEGIN and PRIVATE KEY----- is secret',
  'ssh://git@git.example.com/a.git, git@github.com:org/a.git, https://me@dev.azure.com/org/_git/a',
  'https://deployment-account-of-region-eu-west-1@git.example.com/a.git',
];

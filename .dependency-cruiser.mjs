import swcVisitor from '@swc/core/Visitor.js';
import { wallsOf } from './.dependency-cruiser.rooms.mjs';

/** The visitor that swc ships with does not know `using` yet, which is a declaration like any other. */
const visitStatement = swcVisitor.Visitor.prototype.visitStatement;
swcVisitor.Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  return { ...statement, decls: this.visitVariableDeclarators(statement.decls) };
};

const tests = '(\\.test\\.ts$|/test-support/|^packages/(base|contracts|objects|kit|http-api)/src/testing/)';
const generated = 'src/store/prisma/';
const lowest = 'contracts|errors|platform-addresses';
/** The test kit; what stands for a third party that the product meets; and the check with which each test of the ledger ends. */
const forTests = ['test/(jest|test-kit)', 'dev/simulators', 'measure/audit/src/books'];

/** Packages that services stand on, and their folders, lowest first: a file imports its own folder and those of earlier lines. */
const layers = {
  base: [
    ['async', 'keys', 'log', 'net'],
    ['config'],
    ['db', 'redis'],
    ['errors'],
    ['telemetry'],
    ['health'],
    ['testing'],
  ],
  messaging: [['broker'], ['runtime'], ['inbox', 'outbox'], ['recovery']],
  queue: [['schedules', 'tasks']],
  kit: [['commands'], ['run'], ['testing']],
};
const importsGoDown = Object.entries(layers).flatMap(([name, folderLayers]) =>
  folderLayers.slice(0, -1).map((folders, layer) => ({
    name: `${name}-${folders.join('-')}-import-lower-folders-only`,
    severity: 'error',
    from: { path: `^packages/${name}/src/(${folders.join('|')})/`, pathNot: tests },
    to: {
      path: `^packages/${name}/src/((index|internals|admin|define-service)\\.ts$|(${folderLayers
        .slice(layer)
        .flat()
        .join('|')})/)`,
      pathNot: `^packages/${name}/src/$1/`,
    },
  })),
);

/** What customers install beside each client and the SDK. */
const beside = { sdk: '(?!)', cli: 'commander|undici', langchain: '@langchain/core', n8n: 'n8n-workflow' };
const clientsImportWhatIsInstalled = Object.entries(beside).map(([name, packages]) => ({
  name: `${name}-imports-what-customers-install`,
  severity: 'error',
  from: { path: `^packages/clients/${name}/src/`, pathNot: tests },
  to: {
    pathNot: [`^packages/clients/(${name}|sdk)/`, `(^|/node_modules/)(${packages})(/|$)`],
    dependencyTypesNot: /cli|n8n/.test(name) ? ['core', 'type-only'] : ['type-only'],
  },
}));

/** The borders of the tree: contracts <- base <- objects, messaging <- queue <- kit <- services, and inside a service the pure from the rest. */
export default {
  forbidden: [
    {
      name: 'no-service-imports-another',
      comment: 'Services meet on the bus, by the contracts.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'packages-know-no-service',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^services/' },
    },
    {
      name: 'contracts-stand-alone',
      comment: 'Everything imports the contracts, so they import zod, hashes, and nothing else.',
      severity: 'error',
      from: { path: '^packages/(contracts|platform-addresses)/src/', pathNot: tests },
      to: { pathNot: [`^packages/(${lowest})/`, '/node_modules/zod/', '^(crypto|zlib)$'] },
    },
    {
      name: 'only-the-gateway-knows-http',
      comment: 'A changed route retests the gateway and the tools, not the services that answer commands.',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: ['^packages/(http-api|web)/', '^services/gateway/'] },
      to: { path: '^packages/(http-api|web)/' },
    },
    {
      name: 'http-api-is-text-and-rules',
      severity: 'error',
      from: { path: '^packages/http-api/src/', pathNot: tests },
      to: {
        pathNot: [`^packages/(http-api|${lowest})/`, '/node_modules/(zod|leven|escape-html)/', '^http$'],
      },
    },
    ...clientsImportWhatIsInstalled,
    {
      name: 'only-clients-use-the-sdk',
      comment:
        'Services and tools keep to the contracts, so an SDK of a customer and its service may differ in age.',
      severity: 'error',
      from: {
        path: '^(packages|services|infra)/',
        pathNot: ['^(packages|infra/deploy)/clients/', '^packages/web/(dashboard/|site/src/.*[.]test[.]ts$)'],
      },
      to: { path: '^packages/clients/' },
    },
    {
      name: 'dashboard-is-a-client',
      comment:
        'It knows what customers know: the SDK and the documented API. Its build adds the remedies of errors, and its search compares words and its files have names as the library does, and mails lead to its addresses, isolate words and write amounts, and a match has as many places as the reference says.',
      severity: 'error',
      from: { path: '^packages/web/dashboard/src/(?!build[.]ts$)', pathNot: tests },
      to: {
        pathNot: [
          '^packages/(web/dashboard|clients/sdk)/',
          '^packages/transcript-format/src/(fold|file-titles)[.]ts$',
          '^packages/contracts/src/(isolated|money|passages|reading-address)[.]ts$',
          '/node_modules/(@types/)?(react|react-dom|wouter|@tanstack/react-query)/',
        ],
      },
    },
    {
      name: 'dashboard-is-built-not-imported',
      severity: 'error',
      from: { pathNot: '^packages/web/dashboard/' },
      to: { path: '^packages/web/dashboard/src/' },
    },
    {
      name: 'format-is-pure',
      severity: 'error',
      from: { path: '^packages/transcript-format/src/', pathNot: tests },
      to: { pathNot: [`^packages/(transcript-format|${lowest})/`, '/node_modules/'] },
    },
    {
      name: 'job-files-are-pure',
      severity: 'error',
      from: { path: '^packages/job-files/src/', pathNot: tests },
      to: {
        pathNot: [`^packages/(job-files|transcript-format|${lowest})/`, '^(buffer|crypto|util|zlib)$'],
      },
    },
    {
      name: 'domain-is-pure',
      comment:
        'No clock, no database, no bus: a domain file sees the domain, the contracts, and what only computes.',
      severity: 'error',
      from: { path: '^services/([^/]+)/.*/domain/', pathNot: tests },
      to: {
        pathNot: [
          '^services/$1/.*/domain/',
          `^packages/(${lowest}|transcript-format|job-files)/`,
          '^(crypto|net|url)$',
          '/node_modules/(escape-html|tldts|ipaddr\\.js|@slack/types|discord-api-types)/',
        ],
      },
    },
    {
      name: 'prisma-only-in-store',
      severity: 'error',
      from: {
        path: '^(services|packages)/',
        pathNot: ['/store/', '^packages/base/src/db/prisma-options\\.ts$', '^packages/migrations/', tests],
      },
      to: { path: ['@prisma/', generated] },
    },
    {
      name: 'no-test-code-in-services',
      comment: 'What runs in production depends on nothing that exists for tests or for the local run.',
      severity: 'error',
      from: { path: '^(services|packages|infra/deploy/provisioning)/', pathNot: tests },
      to: {
        path: ['^packages/(base|contracts|objects|kit|http-api)/src/testing/', '^infra/', '^test-e2e/'],
        pathNot: '^infra/deploy/provisioning/',
      },
    },
    {
      name: 'tests-of-the-product-use-no-tool',
      severity: 'error',
      from: { path: '^(services|packages)/' },
      to: { path: '^(infra|test-e2e)/', pathNot: `^infra/(${forTests.join('|')})/` },
    },
    {
      name: 'no-test-code-in-images',
      comment: 'Images leave folders of tests out, so what runs in them must not import these.',
      severity: 'error',
      from: {
        path: '^infra/(deploy/provisioning|dev/simulators|measure/audit)/',
        pathNot: '([.]test[.]ts$|/test-support/|/testing/)',
      },
      to: { path: '/(test-support|testing)/' },
    },
    {
      name: 'infra-knows-no-whole-system-test',
      severity: 'error',
      from: { path: '^infra/' },
      to: { path: '^test-e2e/' },
    },
    {
      name: 'whole-system-tests-share-their-support-only',
      severity: 'error',
      from: { path: '^test-e2e/([^/]+)/' },
      to: { path: '^test-e2e/', pathNot: ['^test-e2e/$1/', '^test-e2e/support/'] },
    },
    ...importsGoDown,
    ...wallsOf(tests),
    {
      name: 'services-use-what-packages-offer',
      comment: '`internals` are for the packages above and for the tools that install and inspect.',
      severity: 'error',
      from: { path: '^services/' },
      to: { path: '^packages/[^/]+/src/internals\\.ts$' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { pathNot: generated },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: { pathNot: generated },
      // n8n gives it to its nodes.
      to: { couldNotResolve: true, pathNot: '^n8n-workflow$' },
    },
  ],
  options: {
    // TypeScript 7 has no JavaScript API, so files are read by swc.
    parser: 'swc',
    doNotFollow: { path: ['node_modules', generated] },
    exclude: { path: ['^\\.local/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};

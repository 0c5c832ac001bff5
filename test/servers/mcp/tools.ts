/** What the stand-in MCP servers offer; over stdio and over HTTP alike. Built with the server side of the official SDK. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

type Listed = { name: string; description?: string; inputSchema: { type: 'object' }; annotations?: Record<string, boolean> };

/** A tool entry as a careless server may send it: nothing is checked on this side. */
export const entry = (name: string, inputSchema: unknown = { type: 'object', properties: {} }, extra: object = {}): Listed =>
  ({ name, description: `the tool ${name}`, inputSchema, ...extra }) as Listed;

/** The beginning of a PNG, as much as is looked at. */
const PICTURE = Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), Buffer.alloc(2_992)]).toString('base64');

const text = (value: string) => [{ type: 'text' as const, text: value }];

export type StandIn = {
  readonly server: Server;
  /** What it was called with, in order. */ readonly calls: { name: string; args: unknown }[];
};

export type StandInOptions = {
  /** What `die` does. */
  readonly die?: () => void;
  readonly extra?: readonly Listed[];
};

export const createStandIn = ({ die = () => {}, extra = [] }: StandInOptions = {}): StandIn => {
  const server = new Server({ name: 'stand-in', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  const calls: StandIn['calls'] = [];
  const tools: Listed[] = [
    entry(
      'echo',
      { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      { annotations: { readOnlyHint: true } },
    ),
    entry('big'),
    entry('hang'),
    entry('die'),
    entry('fail'),
    entry('media'),
    entry('grow'),
    entry('environment'),
    ...extra,
  ];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const args = params.arguments ?? {};
    calls.push({ name: params.name, args });
    switch (params.name) {
      case 'echo':
        return { content: text(String(args['text'])) };
      case 'big':
        return { content: text('x'.repeat(50_000_000)) };
      case 'hang':
        return new Promise<never>(() => {});
      case 'die':
        die();
        return new Promise<never>(() => {});
      case 'fail':
        return { isError: true, content: text('the disk is full') };
      case 'media':
        return {
          content: [
            { type: 'image' as const, data: PICTURE, mimeType: 'image/png' },
            { type: 'image' as const, data: '', mimeType: 'image/png' },
            {
              type: 'resource' as const,
              resource: { uri: 'file:///reports/q3.pdf', mimeType: 'application/pdf', blob: Buffer.from('%PDF-1.7').toString('base64') },
            },
            { type: 'resource_link' as const, uri: 'file:///a.txt', name: 'a.txt' },
            { type: 'resource' as const, resource: { uri: 'file:///b.txt', text: 'words of b' } },
          ],
        };
      case 'grow':
        tools.push(entry('grown'));
        await server.sendToolListChanged();
        return { content: text('there is one more now') };
      case 'environment':
        return { content: text(JSON.stringify(process.env)) };
      default:
        return { content: text(`${params.name} was called`) };
    }
  });
  return { server, calls };
};

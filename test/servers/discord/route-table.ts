/** The routes of the REST API that the stand-in has, with the bucket each counts in. */
import { channelRoutes } from './routes/channels.ts';
import { commandRoutes } from './routes/commands.ts';
import { interactionRoutes } from './routes/interactions.ts';
import { messageRoutes } from './routes/messages.ts';
import { placeRoutes } from './routes/places.ts';
import { reactionRoutes } from './routes/reactions.ts';
import type { Route } from './routes/route.ts';
import { threadRoutes } from './routes/threads.ts';
import { webhookRoutes } from './routes/webhooks.ts';

const routes: readonly Route[] = [
  ...placeRoutes,
  ...channelRoutes,
  ...messageRoutes,
  ...reactionRoutes,
  ...threadRoutes,
  ...commandRoutes,
  ...interactionRoutes,
  ...webhookRoutes,
];

const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/:([a-z]+)/gi, '(?<$1>[^/]+)')}/?$`),
}));

/** The route for a request and the ids in its path. Fixed words win over ids. */
export const findRoute = (
  method: string,
  path: string,
): { readonly route: Route; readonly params: Readonly<Record<string, string>> } | null => {
  for (const { route, pattern } of patterns) {
    if (route.method !== method) continue;
    const match = pattern.exec(path);
    if (match === null) continue;
    const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    return { route, params: Object.fromEntries(params) };
  }
  return null;
};

/** `views.open`, `views.push`, `views.update`, `views.publish`. */
import { isObject } from '../args.ts';
import { checkBlocks, checkText } from '../blocks.ts';
import type { Call, Handler } from '../call.ts';
import { ApiFault, invalid } from '../fault.ts';
import type { Json, View } from '../model.ts';
import type { World } from '../world.ts';

const viewOf = (call: Call, type: View['type']): Json => {
  const view = call.args.object('view', 'invalid_arguments');
  if (view === null) throw invalid('invalid_arguments', 'missing required field: view');
  checkView(view, type);
  return view;
};

/** Throws where Slack refuses a view. */
export const checkView = (view: Json, type: View['type']): void => {
  if (view['type'] !== type) throw invalid('invalid_arguments', `view/type must be ${type}`);
  if (type === 'modal') {
    checkText(view['title'], 24, '/view/title', ['plain_text']);
    for (const name of ['submit', 'close']) if (view[name] !== undefined) checkText(view[name], 24, `/view/${name}`, ['plain_text']);
  }
  const { blocks, private_metadata: metadata, callback_id: callback } = view;
  if (!Array.isArray(blocks) || !blocks.every(isObject)) throw invalid('invalid_arguments', 'missing required field: view/blocks');
  checkBlocks(blocks, type);
  if (type === 'modal' && view['submit'] === undefined && blocks.some((block) => block['type'] === 'input'))
    throw invalid('invalid_arguments', 'missing required field: view/submit');
  if (typeof metadata === 'string' && metadata.length > 3000)
    throw invalid('invalid_arguments', 'view/private_metadata must be less than 3001 characters');
  if (typeof callback === 'string' && callback.length > 255)
    throw invalid('invalid_arguments', 'view/callback_id must be less than 256 characters');
};

/** A trigger opens one modal, within three seconds. */
const useTrigger = (call: Call): { readonly user: string; readonly team: string } => {
  const trigger = call.world.triggers.get(call.args.need('trigger_id'));
  if (trigger === undefined) throw new ApiFault('invalid_trigger_id');
  if (trigger.used) throw new ApiFault('exchanged_trigger_id');
  if (trigger.expiresAt < call.world.clock.now()) throw new ApiFault('expired_trigger_id');
  trigger.used = true;
  return trigger;
};

export const viewShape = (world: World, view: View): Json => {
  const installation = world.installations.find((one) => one.team === view.team || one.team === null);
  const blocks = Array.isArray(view.view['blocks']) ? view.view['blocks'].filter(isObject) : [];
  return {
    private_metadata: '',
    callback_id: '',
    clear_on_close: false,
    notify_on_close: false,
    ...view.view,
    blocks: blocks.map((block, n) => ({ block_id: `b${n}`, ...block })),
    id: view.id,
    team_id: view.team,
    app_id: world.app.id,
    bot_id: installation?.botId,
    hash: view.hash,
    root_view_id: view.rootId,
    previous_view_id: view.previousId,
    external_id: view.externalId ?? '',
    state: { values: {} },
  };
};

export const addView = (world: World, given: Pick<View, 'team' | 'user' | 'view' | 'type'>, previous: View | null): View => {
  const id = world.newId('V');
  const external = given.view['external_id'];
  const view: View = {
    ...given,
    id,
    hash: `${world.clock.now()}.${world.newId('h')}`,
    rootId: previous?.rootId ?? id,
    previousId: previous?.id ?? null,
    externalId: typeof external === 'string' && external !== '' ? external : null,
    open: true,
  };
  world.views.set(id, view);
  world.changed();
  return view;
};

export const replaceView = (world: World, view: View, content: Json): void => {
  view.view = content;
  view.hash = `${world.clock.now()}.${world.newId('h')}`;
  world.changed();
};

export const open: Handler = (call) => {
  const content = viewOf(call, 'modal');
  const view = addView(call.world, { ...useTrigger(call), view: content, type: 'modal' }, null);
  return { view: viewShape(call.world, view) };
};

export const push: Handler = (call) => {
  const content = viewOf(call, 'modal');
  const { user, team } = useTrigger(call);
  const stack = [...call.world.views.values()].filter((one) => one.type === 'modal' && one.open && one.user === user);
  if (stack.length >= 3) throw new ApiFault('push_limit_reached');
  const view = addView(call.world, { user, team, view: content, type: 'modal' }, stack.at(-1) ?? null);
  return { view: viewShape(call.world, view) };
};

export const update: Handler = (call) => {
  const content = viewOf(call, 'modal');
  const id = call.args.text('view_id');
  const external = call.args.text('external_id');
  const view = [...call.world.views.values()].find((one) =>
    id === null ? external !== null && one.externalId === external : one.id === id,
  );
  if (view === undefined || !view.open) throw new ApiFault('not_found');
  const hash = call.args.text('hash');
  if (hash !== null && hash !== view.hash) throw new ApiFault('hash_conflict');
  replaceView(call.world, view, content);
  return { view: viewShape(call.world, view) };
};

export const publish: Handler = (call) => {
  const user = call.args.need('user_id', 'user_not_found');
  if (!call.world.people.has(user)) throw new ApiFault('user_not_found');
  const content = viewOf(call, 'home');
  const there = [...call.world.views.values()].find((one) => one.type === 'home' && one.user === user);
  const hash = call.args.text('hash');
  if (there !== undefined && hash !== null && hash !== there.hash) throw new ApiFault('hash_conflict');
  const view = there ?? addView(call.world, { user, team: call.team, view: content, type: 'home' }, null);
  if (there !== undefined) replaceView(call.world, there, content);
  return { view: viewShape(call.world, view) };
};

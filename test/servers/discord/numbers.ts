/** Discord's numbers by their names, as plain numbers: what comes in is compared with them before anybody knows of what kind it is. */
import * as api from 'discord-api-types/v10';

type Plain<Enum> = { readonly [Name in keyof Enum]: number };
const plain = <Enum extends object>(numbers: Enum): Plain<Enum> => numbers as Plain<Enum>;

export const ApplicationCommandOptionType = plain(api.ApplicationCommandOptionType);
export const ApplicationCommandType = plain(api.ApplicationCommandType);
export const ChannelType = plain(api.ChannelType);
export const ComponentType = plain(api.ComponentType);
export const GatewayIntentBits = plain(api.GatewayIntentBits);
export const GatewayOpcodes = plain(api.GatewayOpcodes);
export const InteractionResponseType = plain(api.InteractionResponseType);
export const InteractionType = plain(api.InteractionType);
export const MessageFlags = plain(api.MessageFlags);
export const MessageType = plain(api.MessageType);

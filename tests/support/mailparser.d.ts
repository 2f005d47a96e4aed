// The part of mailparser that the tests use; the package brings no types.

declare module "mailparser" {
  export interface ParsedMail {
    subject?: string;
    text?: string;
    html?: string | false;
    messageId?: string;
    replyTo?: { text: string; value: { address?: string; name: string }[] };
    from?: { text: string; value: { address?: string; name: string }[] };
    to?: { text: string; value: { address?: string; name: string }[] };
    headers: Map<string, unknown>;
  }
  export function simpleParser(source: string | Buffer): Promise<ParsedMail>;
}

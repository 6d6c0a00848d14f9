import type { Argument, Command, Option } from 'commander';

const visibleCommands = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command);
const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);

/** Words that may stand next, after these ones. The last word may be begun. */
export const completions = (program: Command, words: readonly string[]): string[] => {
  const prefix = words.at(-1) ?? '';
  let command = program;
  let option: Option | undefined;
  for (const word of words.slice(0, -1)) {
    const options = [...optionsOf(command), ...program.options];
    option = option ? undefined : options.find((one) => one.long === word && (one.required || one.optional));
    command = command.commands.find((one) => one.name() === word) ?? command;
  }
  const choices = option?.argChoices ?? [];
  if (option) return choices.filter((choice) => choice.startsWith(prefix));
  const names = visibleCommands(command).map((one) => one.name());
  const flags = [...optionsOf(command), ...program.options].flatMap(({ long }) => long ?? []);
  const next = prefix.startsWith('-')
    ? flags
    : [...names, ...(command.registeredArguments[0]?.argChoices ?? [])];
  return [...new Set(next)].filter((one) => one.startsWith(prefix));
};

const scripts = {
  bash: (name: string) => `_${name}() {
  local IFS=$'\\n'
  COMPREPLY=($(${name} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _${name} ${name}
`,
  zsh: (name: string) => `#compdef ${name}
_${name}() {
  local -a found
  found=("\${(@f)$(${name} complete -- "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)}")
  compadd -a found || _files
}
compdef _${name} ${name}
`,
  fish: (name: string) =>
    `complete -c ${name} -a "(${name} complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)"\n`,
};
export const shells: readonly string[] = Object.keys(scripts);

/** What a shell evaluates to complete the command. */
export const completionScript = (program: Command, shell: string): string =>
  scripts[shell as keyof typeof scripts](program.name());

/** A backslash begins a request in roff, and so does a dot or an apostrophe at the start of a line. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');

const argumentText = (argument: Argument): string => {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
};

const optionText = ({ flags, description, argChoices }: Option): string =>
  `.TP\n.B ${roff(flags)}\n${roff(description)}${argChoices ? roff(` (${argChoices.join(', ')})`) : ''}\n`;

const commandText = (command: Command, path: string): string => {
  const name = `${path} ${command.name()}`.trim();
  const inner = visibleCommands(command).filter((one) => one.name() !== 'help');
  if (inner.length > 0) return inner.map((one) => commandText(one, name)).join('');
  const usage = [name, ...command.registeredArguments.map(argumentText)].join(' ');
  const options = optionsOf(command).filter(({ long }) => long !== '--help');
  return `.SS ${roff(usage)}\n${roff(command.description())}\n${options.map(optionText).join('')}`;
};

/** The manual page of a command, from its own tree. */
export const manualPage = (program: Command, sections: Readonly<Record<string, string>>): string =>
  [
    `.TH ${program.name().toUpperCase()} 1 "" "${program.name()} ${program.version()}"`,
    `.SH NAME\n${program.name()} \\- ${roff(program.description())}`,
    `.SH SYNOPSIS\n.B ${program.name()}\n[options] <command> [arguments]`,
    `.SH COMMANDS\n${visibleCommands(program)
      .filter((one) => one.name() !== 'help')
      .map((one) => commandText(one, ''))
      .join('')
      .trimEnd()}`,
    `.SH OPTIONS\n${optionsOf(program).map(optionText).join('').trimEnd()}`,
    ...Object.entries(sections).map(([title, text]) => `.SH ${title}\n${roff(text)}`),
    '',
  ].join('\n');

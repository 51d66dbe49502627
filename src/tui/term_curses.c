// SPDX-License-Identifier: MIT
// ncurses(3): the only file that includes it.
#include "tui/terminal.h"

#include <curses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/mem.h"

#undef columns // of term.h

enum { ESCAPE_DELAY_MS = 50, KEY_PASTE = 0x2000, KEY_PASTE_END, CTRL_L = 'L' - '@' };

struct tui_term {
	SCREEN *screen;
	enum tui_depth depth;
	int held_stderr; // the descriptor that standard error was, or -1
	bool is_pasting, is_gone;
};

// What a signal that ends the program must put back. A handler has no other way to know it.
static struct {
	struct termios before;
	volatile sig_atomic_t is_open;
} restore;

// Attributes off, cursor shown, keypad and pasting marks off, the first screen.
static const char leave_text[] = "\033[0m\033[?25h\033[?1l\033>\033[?2004l\033[?1049l\r\n";
static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

static void on_fatal_signal(int number)
{
	if (restore.is_open) {
		restore.is_open = 0;
		(void)!write(STDOUT_FILENO, leave_text, sizeof leave_text - 1);
		tcsetattr(STDOUT_FILENO, TCSANOW, &restore.before);
	}
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_fatal_signals(void)
{
	static const int numbers[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGHUP};
	struct sigaction action = {.sa_handler = on_fatal_signal};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		sigaction(numbers[i], &action, NULL);
}

bool tui_term_has_blocks(void)
{
	return wcwidth(L'\u2588') == 1 && wcwidth(L'\u258f') == 1 && wcwidth(L'\u2581') == 1;
}

static enum tui_depth colour_depth(void)
{
	if (!has_colors() || start_color() == ERR)
		return TUI_MONO;
	use_default_colors();
	return COLORS >= 256 ? TUI_256_COLOURS : COLORS >= 16 ? TUI_16_COLOURS : TUI_8_COLOURS;
}

// One pair a style: 11 of the 64 that even old terminals have.
static void init_pairs(enum tui_depth depth)
{
	for (int style = 0; depth != TUI_MONO && style < TUI_STYLES; style++) {
		struct tui_look look = tui_style_look((enum tui_style)style, depth);

		init_pair((short)(style + 1), look.foreground, look.background);
	}
}

// What a library writes to standard error would spoil the screen.
static void hold_stderr(struct tui_term *term)
{
	FILE *file = tmpfile();

	fflush(stderr);
	term->held_stderr = file ? dup(STDERR_FILENO) : -1;
	if (term->held_stderr >= 0)
		dup2(fileno(file), STDERR_FILENO);
	if (file)
		fclose(file);
}

static void give_stderr_back(struct tui_term *term)
{
	if (term->held_stderr < 0)
		return;
	fflush(stderr);
	dup2(term->held_stderr, STDERR_FILENO);
	close(term->held_stderr);
	term->held_stderr = -1;
}

static void configure(struct tui_term *term, const struct tui_term_options *options)
{
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	leaveok(stdscr, TRUE); // nobody sees where the cursor is
	set_escdelay(ESCAPE_DELAY_MS);
	define_key("\033[200~", KEY_PASTE);
	define_key("\033[201~", KEY_PASTE_END);
	term->depth = options->has_colour ? colour_depth() : TUI_MONO;
	init_pairs(term->depth);
	(void)!write(STDOUT_FILENO, paste_on, sizeof paste_on - 1);
}

// Is there such a kind of terminal, and can it move its cursor? "dumb" cannot. Asked before newterm, which
// keeps memory where the answer is no.
static bool can_move(void)
{
	int status;

	if (setupterm(NULL, STDOUT_FILENO, &status) != OK)
		return false;
	const char *text = tigetstr("cup");
	bool is_able = text && text != (const char *)-1 && *text;

	del_curterm(cur_term);
	return is_able;
}

struct tui_term *tui_term_open(const struct tui_term_options *options, struct err *err)
{
	struct tui_term *term = mem_alloc(sizeof *term);
	const char *name = getenv("TERM");

	if (!term) {
		err_memory(err);
		return NULL;
	}
	term->held_stderr = -1;
	tcgetattr(STDOUT_FILENO, &restore.before);
	use_tioctl(TRUE); // LINES and COLUMNS would freeze the size
	term->screen = can_move() ? newterm(NULL, stdout, stdin) : NULL;
	if (!term->screen) {
		mem_free(term);
		err_set(err, ERR_FAILED, "terminal \"%s\": its cursor cannot be moved", name ? name : "");
		err_hint(err, "set TERM, or use --once");
		return NULL;
	}
	restore.is_open = 1;
	catch_fatal_signals();
	hold_stderr(term);
	configure(term, options);
	return term;
}

void tui_term_size(const struct tui_term *term, int *ret_rows, int *ret_columns)
{
	(void)term;
	getmaxyx(stdscr, *ret_rows, *ret_columns);
}

static void set_style(const struct tui_term *term, enum tui_style style)
{
	struct tui_look look = tui_style_look(style, term->depth);
	attr_t attributes = (look.is_bold ? A_BOLD : A_NORMAL) |
	                    (look.is_reverse ? A_REVERSE : A_NORMAL) |
	                    (look.is_underlined ? A_UNDERLINE : A_NORMAL);

	attr_set(attributes, (short)(term->depth == TUI_MONO ? 0 : style + 1), NULL);
}

static bool can_take(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&out, 1, 0) == 1 && out.revents & POLLOUT;
}

bool tui_term_show(struct tui_term *term, const struct tui_canvas *canvas, bool is_whole)
{
	if (!can_take())
		return false;
	erase();
	for (int row = 0; row < canvas->rows; row++)
		for (int column = 0; column < canvas->columns; column++) {
			const struct tui_cell *cell = &canvas->cells[row * canvas->columns + column];

			if (!cell->width)
				continue;
			set_style(term, cell->style);
			mvaddstr(row, column, cell->text);
		}
	if (is_whole)
		clearok(curscr, TRUE);
	wnoutrefresh(stdscr);
	return doupdate() != ERR;
}

void tui_term_wait(struct tui_term *term, int wake_fd, int timeout_ms)
{
	struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
	                       {.fd = wake_fd, .events = POLLIN}};

	if (poll(fds, COUNT_OF(fds), timeout_ms) > 0 && fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		term->is_gone = true;
}

static int special_key(wint_t code)
{
	static const struct {
		wint_t code;
		int key;
	} keys[] = {
		{KEY_UP, TUI_KEY_UP},          {KEY_DOWN, TUI_KEY_DOWN},     {KEY_LEFT, TUI_KEY_LEFT},
		{KEY_RIGHT, TUI_KEY_RIGHT},    {KEY_PPAGE, TUI_KEY_PAGE_UP}, {KEY_NPAGE, TUI_KEY_PAGE_DOWN},
		{KEY_HOME, TUI_KEY_HOME},      {KEY_END, TUI_KEY_END},       {KEY_ENTER, TUI_KEY_ENTER},
		{KEY_BACKSPACE, TUI_KEY_BACK},
	};

	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (keys[i].code == code)
			return keys[i].key;
	if (code >= KEY_F(1) && code <= KEY_F(10))
		return TUI_KEY_F1 + (int)(code - KEY_F(1));
	return TUI_KEYS_END; // does nothing
}

static int plain_key(wint_t c)
{
	switch (c) {
	case '\r':
	case '\n':
		return TUI_KEY_ENTER;
	case '\t':
		return TUI_KEY_TAB;
	case '\b':
	case 0x7f:
		return TUI_KEY_BACK;
	case 0x1b:
		return TUI_KEY_ESCAPE;
	case CTRL_L:
		return TUI_KEY_CTRL_L;
	default:
		return (int)c;
	}
}

int tui_term_key(struct tui_term *term)
{
	for (;;) {
		wint_t c;
		int kind = get_wch(&c);

		if (kind == ERR)
			return TUI_KEY_NONE;
		if (kind == KEY_CODE_YES && (c == KEY_PASTE || c == KEY_PASTE_END))
			term->is_pasting = c == KEY_PASTE;
		else if (!term->is_pasting)
			return kind == KEY_CODE_YES ? special_key(c) : plain_key(c);
	}
}

bool tui_term_is_gone(const struct tui_term *term)
{
	return term->is_gone;
}

void tui_term_close(struct tui_term *term)
{
	if (!term)
		return;
	(void)!write(STDOUT_FILENO, paste_off, sizeof paste_off - 1);
	curs_set(1);
	endwin();
	restore.is_open = 0;
	delscreen(term->screen);
	give_stderr_back(term);
	mem_free(term);
}

void tui_term_closep(struct tui_term **term)
{
	tui_term_close(*term);
}

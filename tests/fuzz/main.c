/* SPDX-License-Identifier: Apache-2.0 */
/* Replays kept inputs: every file that is named, and every file of every folder that is named, once through the fuzz
 * target that is linked in. Not used when the target is built for libFuzzer, which has a main of its own. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define INPUT_MAX (16 << 20)
#define PATH_MAX_BYTES 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Exactly the bytes of the file, so that a sanitizer sees a read behind them; NULL with a message. */
static uint8_t *file_read(const char *path, size_t *ret_n)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	struct stat st;

	if (f && fstat(fileno(f), &st) == 0 && st.st_size <= INPUT_MAX)
		data = malloc(st.st_size > 0 ? (size_t)st.st_size : 1);
	if (data)
		*ret_n = fread(data, 1, (size_t)st.st_size, f);
	else
		perror(path);
	if (f)
		fclose(f);
	return data;
}

static int replay_file(const char *path, unsigned *count)
{
	size_t n;
	uint8_t *data = file_read(path, &n);

	if (!data)
		return 1;
	LLVMFuzzerTestOneInput(data, n);
	free(data);
	++*count;
	return 0;
}

static int replay_dir(const char *path, unsigned *count)
{
	DIR *d = opendir(path);
	struct dirent *e;
	int failed = 0;

	if (!d) {
		perror(path);
		return 1;
	}
	while ((e = readdir(d)) != NULL) {
		char name[PATH_MAX_BYTES];
		int n = snprintf(name, sizeof(name), "%s/%s", path, e->d_name);

		if (e->d_name[0] == '.')
			continue;
		if (n < 0 || (size_t)n >= sizeof(name)) {
			fprintf(stderr, "%s: the path of %s is too long\n", path, e->d_name);
			failed = 1;
			continue;
		}
		failed |= replay_file(name, count);
	}
	closedir(d);
	return failed;
}

int main(int argc, char **argv)
{
	unsigned count = 0;
	int failed = 0;

	for (int i = 1; i < argc; i++) {
		struct stat st;

		if (stat(argv[i], &st) == -1) {
			perror(argv[i]);
			failed = 1;
		} else if (S_ISDIR(st.st_mode)) {
			failed |= replay_dir(argv[i], &count);
		} else {
			failed |= replay_file(argv[i], &count);
		}
	}
	printf("%s: %u inputs replayed\n", argv[0], count);
	return failed || count == 0;
}

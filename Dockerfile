# hcct on Debian 12: docker build -t hcct . && docker run --rm -v "$PWD:/work" hcct sh -c 'hcct-cc -O2 -g program.c && hcct-run ./a.out'
FROM debian:12 AS build
COPY . /hcct
RUN /hcct/scripts/install && apt-get install -y --no-install-recommends dpkg-dev file
RUN cmake -S /hcct -B /build -G Ninja && cmake --build /build && cpack --config /build/CPackConfig.cmake -G DEB -B /packages

FROM debian:12
COPY --from=build /packages/hcct_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/hcct_*.deb g++ && rm -r /tmp/hcct_*.deb /var/lib/apt/lists/*
WORKDIR /work

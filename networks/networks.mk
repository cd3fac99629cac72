# How the networks that come with the package were made: `make networks`. Repeated, it goes on where it was stopped;
# only the network for races that comes with the package is made again. Races are taken from contests of the package's
# td_gammon_1995, and replies are filtered by its td_gammon_raw. The last network is
# $(MADE)/td_gammon/iteration-01/teacher.safetensors.
MADE := runs/networks
WORKSHOP := $(BIN)/python -m networks
ALONE := 80 160 320
TRAIN = $(BIN)/boardgames train backgammon --trainer self --seed 1 --test-every 0 --checkpoint-every 50000
IMPROVE = $(WORKSHOP) improve backgammon --filter td_gammon_raw --inputs expert_by_phase --jobs 2
EARLY = --races $(MADE)/race.safetensors --no-forced
DEEP = --plies 3 --replies 1 --kept 3 --candidates 3 --others 2 --margin 0.08 --rolls 80000 \
	    --epochs 4 --alpha 0.002 --blend 0.75
DRAWN = --plies 3 --samples 2 --label-lambda 0.6 --kept 4 --candidates 3 --others 2 --margin 0.08 --rolls 120000 \
	    --epochs 4 --alpha 0.002 --blend 0.75

# alpha_zero's networks, one for each game: `make alpha_zero`
ALPHA_ZERO := connect_four five_mens_morris six_mens_morris nine_mens_morris qubic fives othello

.PHONY: alpha_zero $(ALPHA_ZERO)
.PHONY: networks td_gammon_raw td_gammon_1995 races network_6 td_gammon hypergammon rounds_256 rounds_512
.PHONY: self_play_alone $(ALONE:%=self_play_alone-%)
networks: td_gammon_raw td_gammon_1995 races td_gammon hypergammon

# the bare board, 198-40-4
td_gammon_raw: $(INSTALLED)
	$(TRAIN) --contests 200000 --run $(MADE)/$@ "td(inputs='raw_cumulative',hidden=40,outputs=4,gammons='within',\
	units='sigmoid',error='squared',epsilon=0,alpha=0.3,decay=40000,lam=0.4,average=70000,seed=1)"

# with features, 260-80-6
td_gammon_1995: $(INSTALLED)
	$(TRAIN) --contests 1000000 --run $(MADE)/$@ "td(inputs='expert',hidden=80,outputs=6,gammons='within',\
	units='sigmoid',error='squared',epsilon=0,alpha=0.3,decay=40000,lam=0.4,average=200000,seed=1)"

# the network for races that comes with the package
races: $(INSTALLED)
	mkdir -p $(MADE)
	$(WORKSHOP) race-network $(MADE)/races.safetensors

# a smaller one, which was made before it, and by which most examples of td_gammon were played
$(MADE)/race.safetensors: | $(INSTALLED)
	mkdir -p $(MADE)
	$(WORKSHOP) race-network $@ --rounds 65 --hidden 64 --window 4

# self-play with features, 260-160-6; expert iteration with weights for each phase, 783-160-6; more of it, with self-play
# in between, by this network joined to td_gammon_1995's, 783-240-6; iterations that look three plies ahead; and at last
# more self-play and an iteration with labels by drawn rolls
network_6: $(INSTALLED) $(MADE)/race.safetensors races
	$(TRAIN) --contests 1350000 --run $(MADE)/self_play "td(inputs='expert',hidden=160,outputs=6,gammons='within',\
	units='sigmoid',error='squared',epsilon=0,alpha=0.3,decay=80000,lam=0.4,average=400000,seed=1)"
	$(BIN)/boardgames export $(MADE)/self_play $(MADE)/self_play.safetensors
	$(IMPROVE) "td_net(file='$(MADE)/self_play.safetensors')" $(EARLY) --run $(MADE)/improved --iterations 3 \
	    --others 2 --rolls 100000 --window 6 --epochs 8 --alpha 0.004 --seed 1
	$(IMPROVE) "td_net(file='$(MADE)/improved/iteration-03/network.safetensors')" --join td_gammon_1995 \
	    $(EARLY) --run $(MADE)/joined --iterations 2 --self-play 150000 \
	    --others 6 --rolls 150000 --window 2 --epochs 4 --alpha 0.002 --seed 2
	$(IMPROVE) "td_net(file='$(MADE)/joined/iteration-02/network.safetensors')" $(EARLY) --run $(MADE)/two_plies \
	    --iterations 1 --self-play 100000 --others 6 --rolls 300000 --epochs 4 --alpha 0.002 --blend 0.75 --seed 3
	$(IMPROVE) "td_net(file='$(MADE)/two_plies/iteration-01/network.safetensors')" $(EARLY) --run $(MADE)/three_plies \
	    --iterations 1 --self-play 150000 $(DEEP) --seed 4
	$(IMPROVE) "td_net(file='$(MADE)/three_plies/iteration-01/network.safetensors')" $(EARLY) --run $(MADE)/deeper \
	    --iterations 2 $(DEEP) --seed 5
	$(IMPROVE) "td_net(file='$(MADE)/deeper/iteration-02/network.safetensors')" --races $(MADE)/races.safetensors \
	    --run $(MADE)/$@ --iterations 1 --self-play 60000 --branches 11 $(DRAWN) --seed 7

# this network with two further layers, 783-240-256-128-6, by exact batch TD(λ) with rivals: 10,000 contests, 90,000, and
# 30,000 with a smaller learning rate; and 60,000 more, which keep four replies to a roll. (The rounds are the same with
# any number of JOBS.)
EXACT = --races $(MADE)/races.safetensors --filter td_gammon_raw --exact --round-lambda 0.9 --rivals 1 --contests 500 \
	    --steps 250 --epochs 0 --rolls 2000 --jobs $(JOBS)
td_gammon: $(INSTALLED) network_6 races
	$(WORKSHOP) improve backgammon "td_net(file='$(MADE)/network_6/iteration-01/network.safetensors')" $(EXACT) \
	    --further 256-128 --rounds 20 --iterations 1 --round-alpha 0.0003 --seed 1 --run $(MADE)/grown
	$(WORKSHOP) improve backgammon "td_net(file='$(MADE)/grown/iteration-01/teacher.safetensors')" $(EXACT) \
	    --rounds 60 --iterations 3 --round-alpha 0.0003 --seed 2 --run $(MADE)/learned
	$(WORKSHOP) improve backgammon "td_net(file='$(MADE)/learned/iteration-03/teacher.safetensors')" $(EXACT) \
	    --rounds 60 --iterations 1 --round-alpha 0.0001 --seed 3 --run $(MADE)/settled
	$(WORKSHOP) improve backgammon "td_net(file='$(MADE)/settled/iteration-01/teacher.safetensors')" $(EXACT) \
	    --kept 4 --rounds 120 --iterations 1 --round-alpha 0.0002 --seed 4 --run $(MADE)/$@

# td_gammon's network of hypergammon, 198-80-6; $(MADE)/hypergammon/iteration-03/network.safetensors
hypergammon: $(INSTALLED)
	$(BIN)/boardgames train hypergammon --trainer self --seed 1 --test-every 0 --contests 1200000 \
	    --run $(MADE)/hypergammon_self_play "td(inputs='raw_cumulative',hidden=80,outputs=6,gammons='within',\
	units='sigmoid',error='squared',epsilon=0,alpha=0.1,decay=100000,lam=0.4,average=400000,seed=1)"
	$(BIN)/boardgames export $(MADE)/hypergammon_self_play $(MADE)/hypergammon_self_play.safetensors
	$(BIN)/boardgames improve hypergammon "td_net(file='$(MADE)/hypergammon_self_play.safetensors')" \
	    --iterations 3 --rolls 60000 --candidates 4 --epochs 8 --alpha 0.003 --seed 1 --run $(MADE)/$@

# networks of several layers by batch TD(λ), from the bare board: 198-256-256-256-6, from which the larger one is grown.
# (1,000 contests of TD(λ) first, because a round passes on what is known of the end by one turn.) Each goes on for
# MINUTES and ends with an iteration; repeated, it goes on where it was stopped, on any DEVICE, with any number of
# processes (JOBS)
MINUTES := 12
DEVICE := cpu
JOBS := 2
ROUNDS = $(WORKSHOP) improve backgammon --rounds 50 --epochs 0 --rolls 2000 --iterations 1000 --seed 1 \
	    --minutes $(MINUTES) --device $(DEVICE) --jobs $(JOBS) --run $(MADE)/$@
GROWN_FROM := $(MADE)/rounds_256/iteration-40/teacher.safetensors
rounds_256: $(INSTALLED)
	$(TRAIN) --contests 1000 --run $(MADE)/rounds_start "td(inputs='raw_cumulative',hidden=256,outputs=6,\
	gammons='within',units='rectified',error='squared',epsilon=0,alpha=0.1,decay=0,lam=0.4,average=0,seed=1)"
	$(BIN)/boardgames export $(MADE)/rounds_start $(MADE)/rounds_start.safetensors
	$(ROUNDS) "td_net(file='$(MADE)/rounds_start.safetensors')" --further 256-256
rounds_512: $(INSTALLED)
	$(ROUNDS) "td_net(file='$(GROWN_FROM)')" --hidden 512 --further 512-256-128

# from nothing but the rules, each in 10 to 30 minutes of one core
alpha_zero: $(ALPHA_ZERO)
$(ALPHA_ZERO): SEEN = lines
othello: SEEN = observation
connect_four: LEARNING = --width 384 --contests 8000 --window 10 --epochs 1 --iterations 20
five_mens_morris: LEARNING = --width 512 --contests 2000 --simulations 64 --window 15 --epochs 2 --iterations 43
six_mens_morris: LEARNING = --width 256 --contests 2000 --simulations 64 --window 15 --epochs 2 --iterations 50
nine_mens_morris: LEARNING = --width 384 --contests 1000 --simulations 64 --window 15 --epochs 2 --iterations 34
qubic: LEARNING = --width 128 --contests 2000 --simulations 64 --window 10 --epochs 2 --iterations 35
fives: LEARNING = --width 64 --contests 2000 --simulations 64 --window 12 --epochs 2 --iterations 60
othello: LEARNING = --width 256 --contests 1000 --simulations 64 --window 12 --epochs 2 --iterations 70
connect_four nine_mens_morris qubic: STRONGER = --stronger-than "alpha_beta(nodes=100000)"
$(ALPHA_ZERO): %: $(INSTALLED)
	$(BIN)/boardgames improve $* alpha_zero --inputs $(SEEN) --alpha 0.004 --seed 1 --jobs $(JOBS) $(LEARNING) \
	    --run $(MADE)/$*
	$(WORKSHOP) half $(MADE)/$* $(MADE)/$*.safetensors $(STRONGER)

# how far self-play alone gets from the bare board in 5,000,000 contests, with 80, 160 and 320 hidden units
self_play_alone: $(ALONE:%=self_play_alone-%)
self_play_alone-80: LEARNING = decay=40000,lam=0.4,average=200000
self_play_alone-160 self_play_alone-320: LEARNING = decay=80000,lam=0.4,average=400000
$(ALONE:%=self_play_alone-%): self_play_alone-%: $(INSTALLED)
	$(BIN)/boardgames train backgammon --trainer self --seed 1 --contests 5000000 --checkpoint-every 50000 \
	    --test-every 250000 --test-contests 5000 --run $(MADE)/self_play_alone/$*-hidden \
	    "td(inputs='raw_cumulative',hidden=$*,outputs=6,gammons='within',units='sigmoid',error='squared',epsilon=0,\
	alpha=0.3,$(LEARNING),seed=1)"
